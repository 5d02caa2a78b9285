#!/usr/bin/env bash
# Starts when every task of the array has ended, however it ended, submitted by submit.sh: merges if all
# shards are there, else submits the missing ones once more, at most ROUNDS times.
#
#   finish.sh RUN ROUND
#
# ROUND is how often it has done so since submit.sh was called by hand.
set -euo pipefail

run=$1 round=$2

missing=$("$run/skirmish" missing "$run")
if [ -z "$missing" ]; then
    "$run/skirmish" merge "$run" -o "$run/results"
    echo "all shards are merged: $run/results"
    exit 0
fi

if [ "$round" -ge "$ROUNDS" ]; then
    {
        echo "gave up after $round more rounds: shards $missing are missing"
        echo "why is in $run/logs; when it is mended, go on with: $SKIRMISH_EXAMPLE/submit.sh '$run'"
    } >&2
    exit 1
fi
export SKIRMISH_ROUND=$((round + 1))
echo "round $SKIRMISH_ROUND: shards $missing are missing"
exec "$SKIRMISH_EXAMPLE/submit.sh" "$run"
