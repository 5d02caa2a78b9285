# A run on Nomad: a batch job whose allocations play a shard each.
#
#   skirmish plan fight.toml -n 10G --shards 100 -o run        # run lies on the volume
#   nomad job run nomad.hcl
#   skirmish merge run/plan.json run/out -o results
#
# To go on after a failure, run the job again: shards that are there cost nothing.
job "skirmish" {
  type = "batch"

  group "shards" {
    count = 100 # the shards of the plan

    # A volume that all clients see.
    volume "run" {
      type   = "host"
      source = "skirmish-run"
    }

    # First on the same client, then on another.
    restart {
      attempts = 1
      mode     = "fail"
    }
    reschedule {
      attempts  = 3
      interval  = "24h"
      unlimited = false
    }

    task "shard" {
      driver = "exec"

      volume_mount {
        volume      = "run"
        destination = "/run/skirmish"
      }

      config {
        command = "sh"
        args = ["-ec", <<-EOT
          skirmish run --plan /run/skirmish/plan.json --shard "$NOMAD_ALLOC_INDEX" \
            --shard-file "/run/skirmish/out/$NOMAD_ALLOC_INDEX.shard" --threads 1 --quiet
          EOT
        ]
      }

      resources {
        cores  = 1
        memory = 512
      }
    }
  }
}
