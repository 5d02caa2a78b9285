#!/usr/bin/env bash
# A run on AWS Batch: an array job whose children play a shard each; plan and shards are objects of S3.
#
#   aws-batch.sh submit s3://BUCKET/RUN fight.toml -n 10G --shards 100     plans, and submits the array
#   aws-batch.sh merge s3://BUCKET/RUN [OPTION]...                         merges; options are those of `skirmish merge`
#
# QUEUE and DEFINITION name a job queue and a job definition. The image of the definition has bash, the program, the AWS
# CLI and this script as /usr/local/bin/aws-batch.sh; its role may read and write s3://BUCKET/RUN. Batch takes 2 to 10,000
# children. To go on after a failure, submit the same once more: shards that are there cost nothing.
set -euo pipefail

step=$1 run=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $step in
submit)
    skirmish plan "$@" --output "$work"
    aws s3 cp "$work/plan.json" "$run/plan.json"
    shards=$(sed -n 's/^  "shards": \([0-9]*\),$/\1/p' "$work/plan.json")
    aws batch submit-job --job-name skirmish --job-queue "$QUEUE" --job-definition "$DEFINITION" \
        --array-properties "size=$shards" --retry-strategy attempts=4 \
        --container-overrides "command=aws-batch.sh,task,$run"
    ;;
task)
    aws s3 cp "$run/plan.json" "$work/plan.json"
    shard=$AWS_BATCH_JOB_ARRAY_INDEX
    # If it is there, the program only looks at it.
    aws s3 cp "$run/shards/$shard.shard" "$work/shard" || true
    skirmish run --plan "$work/plan.json" --shard "$shard" --shard-file "$work/shard" --quiet
    aws s3 cp "$work/shard" "$run/shards/$shard.shard"
    ;;
merge)
    aws s3 cp --recursive "$run" "$work"
    skirmish merge "$work/plan.json" "$work/shards" "$@"
    ;;
esac
