#!/usr/bin/env bash
# Plays a run on a few machines over ssh, with GNU parallel, and merges it. README.md beside this file tells more.
#
#   run.sh RUN SCENARIO -n ENCOUNTERS --shards COUNT [OPTION]...   begins: what follows RUN is what `skirmish plan` takes
#   run.sh RUN                                                     goes on with whatever is missing
#
# Ctrl-C ends it; what is played by then stays.
set -euo pipefail

# What you may want to change, here or from the environment (`HOSTS=machines.txt run.sh ...`).
: "${SKIRMISH:=skirmish}"   # the program: a name in PATH, or a path
: "${HOSTS:=}"              # file with a machine a line, such as `8/node1`: eight shards at once; `:` is this one. Empty: this one alone
: "${SHARED:=yes}"          # whether all machines see the folder RUN under the same name; if not: no
: "${REMOTE:=.skirmish}"    # where machines keep what they are sent if not: a folder in the home there, or a path
: "${THREADS:=1}"           # threads of a shard
: "${RETRIES:=3}"           # how often a shard is tried in a row, each time on another machine
: "${ROUNDS:=3}"            # how often what is missing then is looked for and played
# ssh that never asks, and notices within 15 seconds that a machine is gone.
: "${SSH:=ssh -o BatchMode=yes -o ConnectTimeout=5 -o ServerAliveInterval=5 -o ServerAliveCountMax=3}"

fail() {
    printf 'run.sh: %s\n' "$*" >&2
    exit 2
}

[ $# -ge 1 ] || fail 'usage: run.sh RUN [SCENARIO -n ENCOUNTERS --shards COUNT [OPTION]...]'
[[ $(parallel --version 2>/dev/null) == 'GNU parallel'* ]] || fail 'there is no GNU parallel here: it is the package parallel'
[ -z "$HOSTS" ] || [ -r "$HOSTS" ] || fail "HOSTS: there is no file $HOSTS"
run=$1
shift

if [ $# -gt 0 ]; then
    program=$(command -v "$SKIRMISH") || fail "there is no program $SKIRMISH: set SKIRMISH to its path"
    # The same plan once more changes nothing; another one is refused.
    "$program" plan "$@" --output "$run"
    # A run keeps its program: one that is built anew meanwhile would not do for the shards that are left.
    [ -e "$run/skirmish" ] || cp "$program" "$run/skirmish"
fi
[ -e "$run/skirmish" ] || fail "nothing has begun in $run: name the scenario, -n and --shards"

options=(--will-cite --retries "$RETRIES" --joblog +joblog)
[ -z "$HOSTS" ] || options+=(--sshloginfile "$(realpath "$HOSTS")")
run=$(cd "$run" && pwd -P)
cd "$run"

case $SHARED in
yes) options+=(--workdir "$run") ;;
no)
    # What a machine needs goes there first, and a shard comes back as soon as it is played: to a hidden name,
    # and to its own when it is whole.
    REMOTE=$REMOTE/$(basename "$run" | tr -c 'A-Za-z0-9._\n-' _)
    # shellcheck disable=SC2016 # parallel's own: the number of the shard as its file has it
    options+=(--workdir "$REMOTE" --basefile ./skirmish --basefile ./plan.json --return 'shards/{= $_ = sprintf("%06d", $_) =}.shard' --cleanup)
    ;;
*) fail "SHARED is yes or no, not $SHARED" ;;
esac
# What copies files goes the same way.
export PARALLEL_SSH=$SSH RSYNC_RSH=$SSH

trap 'exit 130' INT TERM
for ((round = 0; ; round++)); do
    # Numbers such as 3,7,12-15. What is there decides, not what was tried: so no list of jobs that failed is needed.
    missing=$(./skirmish missing .)
    [ -n "$missing" ] || break
    if [ "$round" -gt "$ROUNDS" ]; then
        echo "run.sh: gave up after $ROUNDS more rounds: shards $missing are missing; $run/joblog has every try" >&2
        exit 1
    fi
    [ "$round" -eq 0 ] || echo "round $round: shards $missing are missing"
    tr , '\n' <<<"$missing" | awk -F- '{ for (shard = $1; shard <= $NF; shard++) print shard }' |
        parallel "${options[@]}" ./skirmish run --plan plan.json --shard {} --threads "$THREADS" --quiet || true
done
./skirmish merge . --output results
echo "all shards are merged: $run/results"
