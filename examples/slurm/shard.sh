#!/usr/bin/env bash
# One task of the array, submitted by submit.sh: plays the shards SLURM_ARRAY_TASK_ID, that plus TASKS, and so on up to LAST.
#
#   shard.sh RUN TASKS LAST
#
# May be run any number of times, at the same time too: a shard that is there already costs nothing, and
# one that is not appears whole or not at all.
set -euo pipefail

run=$1 tasks=$2 last=$3

status=0
for ((shard = SLURM_ARRAY_TASK_ID; shard <= last; shard += tasks)); do
    echo "shard $shard on ${SLURMD_NODENAME:-$(hostname)}, restart ${SLURM_RESTART_COUNT:-0}"
    # One that fails must not keep those behind it from being played.
    "$run/skirmish" run --plan "$run/plan.json" --shard "$shard" --threads "$CPUS" --quiet || {
        status=$?
        echo "shard $shard failed with exit code $status"
    }
done
exit "$status"
