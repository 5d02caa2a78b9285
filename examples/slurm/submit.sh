#!/usr/bin/env bash
# Plays a run on a Slurm cluster: plans it, submits an array of tasks that play its shards, and a
# finisher that plays again what is missing and then merges. README.md beside this file tells more.
#
#   submit.sh RUN SCENARIO -n ENCOUNTERS --shards COUNT [OPTION]...   begins: what follows RUN is what `skirmish plan` takes
#   submit.sh RUN                                                     goes on with whatever is missing
#
# RUN is a folder that every node sees.
set -euo pipefail

# What you may want to change, here or from the environment (`MINUTES=30 submit.sh ...`). Partition, account
# and the like go through sbatch's own variables (SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_QOS ...).
: "${SKIRMISH:=skirmish}"   # the program: a name in PATH, or a path
: "${CPUS:=1}"              # processors of a task; a shard is played on as many threads
: "${MINUTES:=30}"          # most that one shard may take
: "${MEMORY:=512M}"         # most memory of a task
: "${TASKS:=0}"             # most tasks of the array, each with several shards if need be; 0: what the cluster allows
: "${AT_ONCE:=0}"           # most tasks at once; 0: no limit of our own
: "${ROUNDS:=3}"            # how often the finisher submits what is missing before it gives up
: "${MERGE_MINUTES:=60}"    # most that merging may take
: "${MERGE_MEMORY:=2G}"     # most memory of merging

fail() {
    printf 'submit.sh: %s\n' "$*" >&2
    exit 2
}

[ $# -ge 1 ] || fail 'usage: submit.sh RUN [SCENARIO -n ENCOUNTERS --shards COUNT [OPTION]...]'
command -v sbatch >/dev/null || fail 'there is no sbatch here: run this on a machine that submits to Slurm'
here=${SKIRMISH_EXAMPLE:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}
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
run=$(cd "$run" && pwd -P)
mkdir -p "$run/logs"

# Numbers such as 3,7,12-15.
missing=$("$run/skirmish" missing "$run")

# `SLURM_ARRAY_TASK_ID` must stay below MaxArraySize, 1001 unless the cluster says otherwise. Where there are
# more shards than that, task T plays the shards T, T + tasks, T + 2 tasks, and so on up to the last one missing.
most=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 }')
[ "${most:-0}" -gt 0 ] || fail 'this cluster takes no arrays (MaxArraySize is 0)'
tasks=$((TASKS > 0 && TASKS < most ? TASKS : most))

# The tasks that have anything to play, in the manner of --array, and the number of the last missing shard.
read -r array last <<<"$(awk -v tasks="$tasks" -v RS=, '
    NF {
        ends = split($1, range, "-")
        for (shard = range[1] + 0; shard <= range[ends] + 0; shard++) {
            todo[shard % tasks] = 1
            last = shard
        }
    }
    END {
        for (task = 0; task < tasks; task++) {
            if (!(task in todo)) continue
            for (end = task; (end + 1) in todo; end++) continue
            list = list (list == "" ? "" : ",") (end > task ? task "-" end : task)
            task = end
        }
        print (list == "" ? "none" : list), last + 0
    }' <<<"$missing")"

# What `%` means in the names of logs is no business of a folder's name.
logs=${run//%/%%}/logs
name=skirmish-$(basename "$run" | tr -c 'A-Za-z0-9._\n-' _)
common=(--parsable --requeue --open-mode=append --export=ALL --chdir="$run" --job-name="$name" --ntasks=1)
export SKIRMISH_EXAMPLE=$here SKIRMISH CPUS MINUTES MEMORY TASKS AT_ONCE ROUNDS MERGE_MINUTES MERGE_MEMORY

after=()
if [ "$array" != none ]; then
    shards_a_task=$((last / tasks + 1))
    [ "$AT_ONCE" -eq 0 ] || array+=%$AT_ONCE
    player=$(sbatch "${common[@]}" --array="$array" --cpus-per-task="$CPUS" --mem="$MEMORY" \
        --time=$((MINUTES * shards_a_task)) --output="$logs/%a.log" "$here/shard.sh" "$run" "$tasks" "$last")
    # With clusters named, sbatch answers JOB;CLUSTER.
    player=${player%%;*}
    echo "shards $missing: submitted as job $player, tasks $array"
    # afterany, not afterok: tasks that failed are what the finisher is for.
    after=(--dependency="afterany:$player")
fi
if ! finisher=$(sbatch "${common[@]}" "${after[@]}" --cpus-per-task=1 --mem="$MERGE_MEMORY" \
    --time="$MERGE_MINUTES" --output="$logs/finish.log" "$here/finish.sh" "$run" "${SKIRMISH_ROUND:-0}"); then
    fail "the finisher was refused. What is submitted plays on; when it is over, go on with '$0 $run'"
fi
echo "finisher: job ${finisher%%;*}, which tells its tale in $run/logs/finish.log"
echo "to stop all of it: scancel --user=$(id -un) --name='$name'"
