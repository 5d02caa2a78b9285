# shellcheck shell=bash disable=SC2034 # what is only set here is for those who source this
# What the checks in this folder share: counting, and packages. To be sourced.

passed=0
failed=0
skipped=0
check=${0##*/}

pass() {
    passed=$((passed + 1))
    printf 'ok       %s: %s (%s s)\n' "$check" "$1" "$SECONDS"
}

fail() {
    failed=$((failed + 1))
    printf 'FAILED   %s: %s\n' "$check" "$1"
}

# skip COUNT WHAT WHY: leaves checks out. On a build server (CI is set) that is a failure, unless ALLOWED_SKIPS, a
# list with blanks between, names this check: a build that is green shall have looked.
skip() {
    if [ -n "${CI:-}" ] && [[ " ${ALLOWED_SKIPS:-} " != *" $check "* ]]; then
        fail "$2 cannot be left out where CI is set (ALLOWED_SKIPS=$check allows it): $3"
        return
    fi
    skipped=$((skipped + $1))
    printf '\n*** SKIPPED %s: %s\n*** because %s\n\n' "$check" "$2" "$3"
}

# node_tests FOLDER: runs the tests of a folder in Node, its files side by side because they wait for much of the time,
# and counts them.
node_tests() {
    # The browser's profile goes there too: nothing is left behind, whatever ends the tests.
    TMPDIR=$(mktemp -d)
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
    local suite suites=()
    mapfile -t suites < <(cd "$1" && find . -name '*.test.js' -not -path '*/node_modules/*' | sort)
    for suite in "${suites[@]}"; do
        (cd "$1" && node --test --test-reporter=spec --test-reporter-destination="$TMPDIR/${suite##*/}.said" \
            --test-reporter=tap --test-reporter-destination="$TMPDIR/${suite##*/}.counts" "$suite") || true &
    done
    wait
    cat "$TMPDIR"/*.said
    count() { cat "$TMPDIR"/*.counts | awk -v what="$1" '$1 == "#" && $2 == what { sum += $3 } END { print sum + 0 }'; }
    passed=$(count pass)
    failed=$(($(count fail) + $(count cancelled)))
    skipped=$(($(count skipped) + $(count todo)))
    # A runner that has died has counted nothing.
    for suite in "${suites[@]}"; do
        grep -q '^# pass ' "$TMPDIR/${suite##*/}.counts" || fail "$suite has not run to its end"
    done
    [ "$passed" -gt 0 ] || [ "$failed" -gt 0 ] || fail 'no test was run'
}

# The last line of every check; its exit code goes with it.
closing() {
    closed=yes
    printf '%s: %s passed, %s failed, %s skipped\n' "$check" "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

# What each check needs: COMMAND=PACKAGE or PATH=PACKAGE, packages as Debian calls them. `.ci/run` installs all of
# them at once, before anything runs side by side. `rows` is a test: it runs the lines of docs/STATISTICS.md.
declare -A needs=(
    [run]='shellcheck=shellcheck'
    [rows]='Rscript=r-base-core /usr/lib/python3/dist-packages/pandas=python3-pandas'
    [slurm]='slurmctld=slurmctld slurmd=slurmd sbatch=slurm-client munged=munge ip=iproute2'
    [parallel]='parallel=parallel'
    [machines]='sshd=openssh-server ssh=openssh-client ssh-keygen=openssh-client rsync=rsync ip=iproute2'
    [browser]='node=nodejs npm=npm chromium=chromium'
    [python]='python3=python3'
    [shell]='chromium-headless-shell=chromium-headless-shell'
)

# The browser that opens pages: the one without windows, if it is to be had, takes a fifth less time.
find_chromium() { command -v chromium-headless-shell || command -v chromium; }

# Waits up to 300 seconds for other processes that install packages.
apt=(apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)

# need COMMAND=PACKAGE...: whether all commands (or paths) are there; as root, installs the packages of those that are not. If it
# fails, `lacking` says why.
lacking=
need() {
    local pair packages=()
    PATH=$PATH:/usr/sbin:/sbin
    for pair in "$@"; do
        command -v "${pair%%=*}" >/dev/null || [ -e "${pair%%=*}" ] || packages+=("${pair#*=}")
    done
    [ ${#packages[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        lacking="these packages are not installed: ${packages[*]}"
        return 1
    fi
    local log lock=${TMPDIR:-/tmp}/skirmish-packages.lock
    log=$(mktemp)
    # One check at a time: apt waits for its lock on packages, but not for that on lists of them.
    if (
        exec 9>"$lock"
        flock -w 600 9 && "${apt[@]}" update &&
            DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y --no-install-recommends "${packages[@]}"
    ) >"$log" 2>&1 </dev/null; then
        rm "$log"
    else
        tail -5 "$log"
        rm "$log"
        lacking="these packages could not be installed: ${packages[*]}"
        return 1
    fi
}

# need_for CHECK...: the same of everything that those checks need.
need_for() {
    local name all=()
    for name in "$@"; do
        # shellcheck disable=SC2206 # a list
        all+=(${needs[$name]})
    done
    need "${all[@]}"
}

# Two results are the same if only what the manifests say of the run itself differs: when, how long, on how many threads.
lasting() { sed '/^  "run": {/,/^  }/d' "$1"; }

# same_results ONE OTHER: whether two folders hold the same files with the same lasting bytes; says what differs.
same_results() {
    local file
    diff <(cd "$1" && find . -type f | sort) <(cd "$2" && find . -type f | sort) || return 1
    while IFS= read -r -d '' file; do
        diff -q <(lasting "$1/$file") <(lasting "$2/$file") >/dev/null || {
            echo "$2/$file differs from $1/$file:"
            diff <(lasting "$1/$file") <(lasting "$2/$file") | head -10
            return 1
        }
    done < <(cd "$1" && find . -type f -print0)
}

# same_as_committed RESULTS FRESH: whether all fresh results are those committed; says what differs. Of each scenario
# manifest.json and summary.csv are committed; a file that is not is compared by the checksum in that manifest.
same_as_committed() {
    local file folder sum name files=0 sums=0
    diff <(ls "$1") <(ls "$2") || return 1
    while IFS= read -r -d '' file; do
        diff -q <(lasting "$1/$file") <(lasting "$2/$file") >/dev/null || {
            echo "$1/$file is not what this version computes:"
            diff <(lasting "$1/$file") <(lasting "$2/$file") | head -20
            return 1
        }
        files=$((files + 1))
    done < <(cd "$1" && find . -type f -print0)
    for folder in "$1"/*/; do
        folder=$(basename "$folder")
        [ -f "$1/$folder/summary.csv" ] || {
            echo "$1/$folder/summary.csv is not committed"
            return 1
        }
        diff <({ checksums "$1/$folder" | sed 's/.* //' && echo manifest.json; } | sort) <(ls "$2/$folder") || return 1
        while read -r sum name; do
            [ "$sum" = "$(tr -d '\r' <"$2/$folder/$name" | sha256sum | cut -d ' ' -f 1)" ] || {
                echo "$1/$folder/$name has another checksum than this version computes"
                return 1
            }
            sums=$((sums + 1))
        done < <(checksums "$1/$folder")
    done
    echo "$files committed files and $sums checksums are the same"
}

# The checksums in the manifest of a folder of results: a line `SUM NAME` for each file.
checksums() { sed -n '/^  "files": {/,/^  }/s/^    "\(.*\)": "\([0-9a-f]*\)",\{0,1\}$/\2 \1/p' "$1/manifest.json"; }

# What dies with its parent, however that dies.
mortal=(setpriv --pdeathsig KILL)

# Namespaces of one's own: processes, network, mounts, names. Whatever ends the first process in there, the kernel
# takes away all the others, and interfaces and mounts with them.
apart=("${mortal[@]}" unshare --mount --pid --net --uts --ipc --fork --kill-child --mount-proc)

# go_apart ARGUMENT...: runs this check in there, and ends with it; fails if namespaces are not allowed.
go_apart() {
    "${apart[@]}" ip link set lo up 2>/dev/null || return 1
    "${apart[@]}" "$PWD/.ci/$check" --inside "$@" &
    # unshare heeds neither Ctrl-C nor a polite end, so this shell stays to do so.
    trap 'kill -9 $! 2>/dev/null; exit 130' INT TERM
    local status=0
    wait $! || status=$?
    exit "$status"
}

# within SECONDS WHAT COMMAND...: waits until the command succeeds.
within() {
    local until=$((SECONDS + $1)) what=$2
    shift 2
    while ! "$@"; do
        [ $SECONDS -lt $until ] || {
            echo "waited in vain: $what"
            return 1
        }
        sleep 0.2
    done
}

# end PID...: all at once, for nobody shall have the time to report the death of another.
end() {
    [ $# -gt 0 ] || return 0
    kill -STOP "$@" 2>/dev/null || true
    kill -KILL "$@" 2>/dev/null || true
}
