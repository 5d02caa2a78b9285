"""A run with Ray: a remote task for each shard; shards come back through Ray, so that machines need no folder in common.

    skirmish plan fight.toml -n 10G --shards 100 -o run
    python on_ray.py run/plan.json

Every machine has the Python package `skirmish`, of the version that made the plan.
"""

import json
import pathlib
import sys

import ray
import skirmish


# Ray plays a shard again if its worker dies, or its machine.
@ray.remote(num_cpus=1, max_retries=3)
def play(plan: str, shard: int) -> bytes:
    return skirmish.play_shard(plan, shard)


def main(path: str) -> None:
    plan = pathlib.Path(path).read_text()
    ray.init()
    shards = range(json.loads(plan)["shards"])
    shared = ray.put(plan)
    print(skirmish.merge(plan, ray.get([play.remote(shared, shard) for shard in shards])))


if __name__ == "__main__":
    main(sys.argv[1])
