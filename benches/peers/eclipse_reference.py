#!/usr/bin/env python3
"""A slow, plain reading of the Eclipse Phase rules, to compare the engine with.

It reads a scenario (docs/FORMAT.md), plays it with Python's own random numbers and prints the means
of every metric with their standard errors as JSON. It shares no code and no design with the engine
on purpose: each rule is written down as its text says it, and cites its id (EP-6). What scenario
files of all systems share comes from reference.py, pools and the line from mage_reference.py.

    python3 benches/peers/eclipse_reference.py benches/peers/fights/eclipse-duel.toml --n 4000
    python3 benches/peers/eclipse_reference.py benches/peers/fights/eclipse-delay.toml --trace 0
    python3 benches/peers/eclipse_reference.py --self-test

Needs Python 3.11 or later and nothing else.
"""

import re
import sys

import mage_reference
import reference
from effects import Bearer, Power
from mage_reference import Amount, Field, LEVELS, Pool, gap
from reference import Condition, Dice, ScriptedChance

reference.VARIABLES.update({
    "turn", "phase", "speed", "initiative", "moxie", "wounds", "target.wounds", "quick_actions",
    "delaying", "interrupting", "enemy_attacks", "under_attack", "enemy_acts", "enemy_moves"})
PHASES = 4  # EP-2
ENDLESS = 10**9  # Units of a move without a number
COUNTS = ["health", "damage", "damage_taken", "attacks", "hits", "attacks_lost", "units_moved",
          "turns", "actions_phase_1", "actions_phase_2", "actions_phase_3", "actions_phase_4",
          "criticals", "defended", "wounds", "reorderings", "moxie_spent", "delays",
          "interruptions", "delays_held", "delays_lost", "tasks_done"]
# Lines that are asked at moments of their own (EP-5, EP-6), never in a stage.
APART = ("spend", "interrupt", "hold")


class Line:
    """ACTION [ARGUMENTS] [if CONDITION]"""

    def __init__(self, text):
        self.text = text
        self.weapon = self.name = self.number = self.to = None
        self.target = "nearest"
        head, found, condition = text.partition(" if ")
        self.condition = Condition(condition) if found else None
        words = re.findall(r'"[^"]*"|[^\s"]+', head)
        take = lambda: words.pop(0).strip('"')
        self.verb = take()
        if self.verb == "quick":  # said to be quick
            self.verb = take()
        if self.verb in ("advance", "retreat"):
            if words and words[0].isdigit():
                self.number = int(take())
            if words and words[0] == "to":
                take()
                self.to = int(take())
        elif self.verb in ("use", "task", "spend") or (self.verb == "draw" and words):
            self.name = take()
        elif self.verb not in ("attack", "draw", "stand", "delay", "pass", "interrupt", "hold",
                               "flee", "surrender"):
            raise ValueError(f"unknown action {self.verb!r}")
        if words and words[0] != "with":
            self.target = take()
        if words and words[0] == "with":
            take()
            self.weapon = take()
        if words:
            raise ValueError(f"left over in {text!r}: {words}")


class View(reference.View):
    """What a condition may ask: the variables of docs/FORMAT.md."""

    turn = property(lambda v: v.fight.round)
    phase = property(lambda v: v.fight.phase_of(v.me))
    speed = property(lambda v: v.me.speed_now)
    initiative = property(lambda v: v.fight.total(v.me))
    moxie = property(lambda v: v.me.moxie)
    wounds = property(lambda v: v.me.wounds)
    target_wounds = property(lambda v: v.foe.wounds)
    quick_actions = property(lambda v: v.me.quick_left)
    attacked = property(lambda v: v.me.attacked)
    delaying = property(lambda v: v.me.delayed is not None)
    interrupting = property(lambda v: v.me.interrupting)
    enemy_attacks = property(lambda v: bool(v.declared("attack")))
    under_attack = property(lambda v: any(d.target is v.me for d in v.declared("attack")))
    enemy_acts = property(lambda v: bool(v.declared("attack", "complex", "task")))
    enemy_moves = property(lambda v: bool(v.declared("step")))

    def declared(self, *kinds):
        """What enemies who stand have said they do, in the stage that one interrupts."""
        return [d for beat in self.fight.declared[-1:] for d in beat
                if d.kind in kinds and d.who.side != self.me.side and d.who.standing]

    def progress(self, task):
        return self.me.progress.get(task, 0)


class Weapon:
    def __init__(self, name, table, rules):
        self.name = name
        self.melee = table["kind"] == "melee"
        self.span = table.get("reach", 0) if self.melee else table["range"]  # W-2
        self.damage = Amount(table["damage"], {})
        self.mastery = table.get("mastery", 0)
        self.damage_type = table.get("damage_type")
        self.power = Power({"effects": table.get("effects", [])}, "enemy")
        check = table["check"]
        self.kind = rules.get("check") or next(
            k for k, key in (("percentile", "skill"), ("pool", "pool"), ("roll-over", "dice"))
            if key in check)
        if self.kind == "percentile":
            self.skill = check["skill"]
            self.critical = check.get("critical", rules.get("critical", "ignores-armor"))
        elif self.kind == "pool":
            self.pool = Pool(check, {})
            self.extra_damage = check.get("extra_damage", 0)
        else:
            self.dice, self.bonus = Dice(check["dice"]), check.get("bonus", 0)


class Task:
    def __init__(self, name, table):
        self.name, self.phases = name, table["phases"]
        self.heal = Amount(table.get("heal", 0), {})
        self.damage = Amount(table["damage"], {}) if "damage" in table else None
        self.span = table.get("range", 0)


class Move:
    """A move line that has been taken, with what is left of it."""

    def __init__(self, line, target):
        self.line, self.target = line, target
        self.left = line.number or ENDLESS


class Declared:
    """What one does in a beat: kind is attack, complex, quick, task, step or delay."""

    def __init__(self, who, kind, line, target=None, what=None):
        self.who, self.kind, self.line, self.target, self.what = who, kind, line, target, what


class Over(Exception):
    """At most one side stands (W-6)."""


class Combatant(Bearer):
    def __init__(self, fight, table, name, index):
        self.fight, self.index, self.name, self.group = fight, index, name, table["name"]
        self.side, self.start = table["side"], table["position"]
        if "initiative" in table:
            self.init = table["initiative"]
        else:
            a = table["attributes"]
            self.init = (a["intuition"] + a["reflexes"]) // 5  # EP-1
        self.init += table.get("initiative_modifier", 0)
        self.speed, self.max_moxie = table.get("speed", 1), table.get("moxie", 0)
        self.move, self.fray = table.get("move", 20), table.get("fray")
        self.armor, self.evade = table.get("armor", 0), table.get("evade")
        self.threshold = table.get("wound_threshold")
        if fight.rules.get("health") == "track":
            self.levels = [(lv["name"], lv.get("penalty", 0)) for lv in table["health"]] \
                if "health" in table else [level[:2] for level in LEVELS]
            self.max_hp = len(self.levels)
        else:
            self.levels, self.max_hp = None, table["health"]
            if self.threshold is None:
                self.threshold = -(-self.max_hp // 5)
        self.weapons = [fight.weapons[w] for w in table.get("weapons", [])]
        self.undrawn = set(table.get("undrawn", []))
        self.items, self.tasks = table.get("items", []), table.get("tasks", [])
        self.read_effects(table, fight.items)
        self.starts_wounds = table.get("wounds", 0)
        self.starts_prone = table.get("prone", False)
        policy = table["policy"]
        lines = fight.scenario["policies"][policy] if isinstance(policy, str) else policy
        self.policy = [Line(text) for text in lines]

    move_left = property(lambda c: max(0, c.fight.allowance(c) - c.used))
    speed_now = property(lambda c: min(max(1, c.speed + c.change("speed")), max(c.speed, 4)))
    move_now = property(lambda c: max(0, c.move + c.change("move")))

    def reset(self):
        self.begin_effects()
        self.at, self.hp, self.wounds, self.moxie = \
            self.start, self.max_hp, self.starts_wounds, self.max_moxie
        self.hand = {w.name for w in self.weapons} - self.undrawn
        self.uses = {i: self.fight.items[i].get("uses", 1) for i in self.items}
        self.prone, self.progress = self.starts_prone, {}
        self.count = dict.fromkeys([*self.fight.counts, "healed"], 0)
        self.first_attack = None
        self.delayed = None  # (turn, phase, number of the place) of a delayed action
        self.first = False  # EP-5
        self.used = 0  # Units made in this Phase, or of what this place allows
        self.at_place = False
        self.begin_stage(False)
        self.done = True

    def begin_stage(self, interrupting):
        self.walk = None  # EP-8: in its own stage a combatant decides anew
        self.interrupting = interrupting
        self.quick_left = self.fight.quick_actions
        self.complex_used = self.task_used = False
        self.moved = self.acted = self.attacked = self.done = False

    def penalty(self):
        """Points off a percentile test: wounds, and the level of a track."""
        off = self.fight.wound_penalty * self.wounds
        if self.levels and self.hp < self.max_hp and self.hp > 0:
            off += 10 * self.levels[self.max_hp - self.hp - 1][1]
        return off


class Fight(Field):
    """One scenario."""

    FIRST_ATTACK, counts = "first_attack_turn", COUNTS

    def __init__(self, scenario):
        self.scenario, self.rules = scenario, scenario.get("rules", {})
        encounter = scenario.get("encounter", {})
        self.max_rounds = encounter.get("max_rounds", 50)
        self.ends_when = []
        say = self.rules.get
        initiative = say("initiative", {})
        self.fixed = initiative.get("mode") == "fixed"
        self.per_speed = initiative.get("roll") == "per-speed"
        self.wound_off = initiative.get("wound", 1)
        self.quick_actions = say("quick_actions", 3)
        self.whole = say("movement") == "whole"
        self.follows = say("move_follows", False)
        self.gives_back = say("interrupted") == "kept"
        self.wound_penalty = say("wound_penalty", 10)
        self.opposed = say("defence", "opposed") == "opposed"
        self.fray_shots = say("fray_shots", "half")
        self.meet = say("hit", "meet") == "meet"
        self.items = scenario.get("items", {})
        self.weapons = {n: Weapon(n, t, self.rules)
                        for n, t in scenario.get("weapons", {}).items()}
        self.tasks = {n: Task(n, t) for n, t in scenario.get("tasks", {}).items()}
        self.muster(Combatant)
        self.counts = COUNTS + self.optional_counts()

    def waits(self, c):
        """Whether a place of c is still to come."""
        return c.standing and not c.at_place \
            and (c.place < len(c.totals) if self.per_speed else c.to_come)

    def rank(self, c):
        """EP-5, EP-4: Moxie brings the first place forward; then the totals."""
        return c.first and (not self.per_speed or c.place == 0), self.total(c)

    # --- initiative (EP-1, EP-4, EP-7) --------------------------------------------------------

    def roll_initiative(self):
        for c in self.all:
            if c.standing:
                dice = c.speed_now if self.per_speed else 1
                rolled = [0 if self.fixed else self.chance.die(10, f"{c.name} initiative")
                          for _ in range(dice)]
                c.totals = sorted((c.init + die for die in rolled), reverse=True)
                c.place = 0  # EP-7: the number of places that are over

    def total(self, c):
        """The current total: wounds count at once."""
        return c.totals[min(c.place, len(c.totals) - 1)] - self.wound_off * c.wounds \
            + c.change("initiative")

    def phase_of(self, c):
        if not self.per_speed:
            return self.phase
        return 1 + (c.put_off if c.interrupting else min(c.place, len(c.totals) - 1))

    # --- movement (EP-8) ----------------------------------------------------------------------

    def share(self, c, phase):
        if self.per_speed:
            return c.move_now // c.speed_now
        return c.move_now * phase // PHASES - c.move_now * (phase - 1) // PHASES

    def allowance(self, c):
        return c.move_now if self.whole else self.share(c, self.phase)

    def go_on(self, c, under_way):
        """The next step of the move that c has begun, if there is one."""
        walk = c.walk
        if under_way and walk.line.number is None:
            walk.target = self.choose_target(c, walk.line.target, lambda e: True)
        elif not walk.target.standing:  # W-4
            walk.target = self.choose_target(c, walk.line.target, lambda e: True)
        if c.prone:  # who is thrown down goes no further
            c.walk = None
            return None
        if c.move_left < 1:
            return None  # what is left of it is under way
        if walk.target is None or not self.wanted(c, walk.line, walk.target):
            c.walk = None
            return None
        if under_way and walk.line.number is None and walk.line.condition \
                and not walk.line.condition(View(self, c, walk.target)):
            c.walk = None
            return None
        return Declared(c, "step", walk.line, walk.target)

    def step(self, c):
        walk = c.walk
        if walk is None:
            return
        if not walk.target.standing:
            walk.target = self.choose_target(c, walk.line.target, lambda e: True)
        c.used += 1
        walk.left -= 1
        if walk.target is not None and self.wanted(c, walk.line, walk.target):
            away = self.away(c, walk.target)
            there = c.at + (-away if walk.line.verb == "advance" else away)
            if not any([there, c.at] == made and foe.side != c.side for foe, *made in self.steps):
                self.steps.append((c, c.at, there))
                c.at = there
                c.moved = c.busy = True
                c.count["units_moved"] += 1
                self.tell(f"    {c.name} to {c.at}")
            else:
                self.tell(f"    {c.name} spends a step: it would cross")
        else:
            self.tell(f"    {c.name} spends a step")
        over = not self.follows and walk.target is not None \
            and not self.wanted(c, walk.line, walk.target)
        if walk.left < 1 or over:  # a move that has reached its goal is over
            c.walk = None

    # --- choosing -----------------------------------------------------------------------------

    def holds(self, c, line, target=None):
        if line.condition is None:
            return True
        about = target or min(self.enemies(c), key=lambda e: gap(c, e), default=None)
        return about is not None and line.condition(View(self, c, about))

    def asks(self, c, verb):
        """Whether one of the lines that stand apart holds."""
        return any(line.verb == verb and self.holds(c, line) for line in c.policy)

    def plan(self, c, line):
        """What the line would do now, or None if it is not legal."""
        verb = line.verb
        if verb == "surrender" or (verb == "flee" and not c.prone and c.at in self.exits):
            return Declared(c, "leave", line)
        if verb in ("advance", "retreat", "flee"):
            target = self.choose_target(c, line.target, lambda e: True)
            if c.prone or c.move_left < 1 or target is None or not self.wanted(c, line, target):
                return None
            return Declared(c, "step", line, target)
        if verb == "delay":
            fresh = not (c.moved or c.acted or c.interrupting) and c.delayed is None
            return Declared(c, "delay", line) if fresh else None
        if verb == "task":
            task = self.tasks[line.name]
            if c.acted or c.progress.get(line.name, 0) >= task.phases:
                return None
            target = None
            if task.damage:
                target = self.choose_target(c, line.target, lambda e: gap(c, e) <= task.span)
            return Declared(c, "task", line, target, task)
        if c.task_used:
            return None
        if verb == "attack":
            if c.complex_used or c.prone:
                return None
            for w in c.weapons:
                if line.weapon in (None, w.name) and w.name in c.hand:
                    target = self.choose_target(
                        c, line.target, lambda e: gap(c, e) <= self.span_of(c, w))
                    if target:
                        return Declared(c, "attack", line, target, w)
            return None
        if verb == "use":
            kind = self.items[line.name].get("cost", "complex")
            target = self.target_of(c, line.target, c.powers[line.name])
            free = not c.complex_used if kind == "complex" else c.quick_left
            fine = c.uses[line.name] and free and target
            return Declared(c, kind, line, target) if fine else None
        if not c.quick_left:
            return None
        if verb == "stand":
            return Declared(c, "quick", line) if c.prone else None
        names = [w.name for w in c.weapons if w.name not in c.hand and line.name in (None, w.name)]
        return Declared(c, "quick", line, what=names[0]) if names else None

    def choose(self, c):
        """The policy's answer in a stage; None when it passes."""
        said = self.answer(c)
        if c.walk and not (said and said.kind == "step"):
            self.go_on(c, True)  # EP-8: a move that its condition has ended is over
        return said

    def answer(self, c):
        if c.stunned:
            return None
        if c.walk and c.walk.line.number and c.walk.left > 0:
            step = self.go_on(c, False)
            if step:
                return step
        for line in c.policy:
            if line.verb in APART:
                continue
            if line.verb == "pass":
                if self.holds(c, line):
                    return None
                continue
            said = self.plan(c, line)
            if said and self.holds(c, line, said.target if said.target is not c else None):
                if said.kind == "step":
                    c.walk = Move(line, said.target)
                return said
        return None

    # --- acting -------------------------------------------------------------------------------

    def test(self, c, skill, why):
        """EP-9: (roll, success, critical)."""
        roll = self.chance.die(100, why) - 1
        good = roll == 0 or (roll != 99 and roll <= skill - c.penalty())
        return roll, good, good and roll % 11 == 0

    def fray(self, c, weapon, roll, critical):
        """Whether Fray turns an attack aside."""
        if c.fray is None:
            return False
        skill = c.fray
        if not weapon.melee:
            if self.fray_shots == "none":
                return False
            if self.fray_shots == "half":
                skill //= 2
        skill += c.change("fray")
        own, good, own_critical = self.test(c, skill, f"{c.name} Fray")
        self.tell(f"    {c.name} Fray {own} against {skill}: {good}")
        if not good:
            return False
        if not self.opposed:
            return True
        if critical != own_critical:
            return own_critical
        return roll <= own

    def attack(self, c, weapon, target, together):
        c.count["attacks"] += 1
        if c.first_attack is None:
            c.first_attack = self.round
        armor, extra, more = target.armor_now, 0, c.change("attack")
        if weapon.kind == "percentile":
            roll, hit, critical = self.test(
                c, weapon.skill + weapon.mastery + more, f"{c.name} attack")
            self.tell(f"    {c.name} attacks {target.name}: {roll} {hit}")
            c.count["criticals"] += critical
            if hit and self.fray(target, weapon, roll, critical):
                target.count["defended"] += 1
                hit = False
            if critical and weapon.critical == "ignores-armor":
                armor = 0
        elif weapon.kind == "pool":
            size = weapon.pool.size + weapon.mastery + more - c.penalty() // 10
            net, botch = weapon.pool.roll(max(0, size), self.chance)
            hit = not botch and net >= weapon.pool.required
            extra = (net - weapon.pool.required) * weapon.extra_damage
        else:
            roll = sum(self.chance.die(weapon.dice.sides) for _ in range(weapon.dice.count)) \
                + weapon.dice.extra + weapon.bonus + weapon.mastery + more - c.penalty() // 10
            hit = roll >= target.evade_now if self.meet else roll > target.evade_now
        if hit:
            c.count["hits"] += 1
            extra += c.change("damage")
            rolled = weapon.damage.roll(extra, self.chance) - armor
            self.hurt(target, self.by_kind(target, weapon.damage_type, rolled), c, together)
            if target.standing:
                self.affect(c, weapon.power, target, {}, together)

    # --- effects (W-11) -----------------------------------------------------------------------

    def amount(self, value):
        return Amount(value, {})

    def take(self, by, e, amount, together):
        self.hurt(e, amount, by, together)

    def plain_check(self, e, table, needs, more=0):
        if "skill" in table:
            self.last = self.test(e, table["skill"] + more, f"{e.name} check")
            return self.last[1]
        if "pool" in table:
            net, botch = Pool(table, {}).roll(
                max(0, table["pool"] + more - e.penalty() // 10), self.chance)
            return not botch and net >= table.get("required", 1)
        dice = Dice(table["dice"])
        total = sum(self.chance.die(dice.sides) for _ in range(dice.count)) + dice.extra
        total += table.get("bonus", 0) + more - e.penalty() // 10
        return total >= needs if self.meet else total > needs

    def power_check(self, c, power, target):
        needs = power.needs if power.needs is not None else target.evade_now
        if not self.plain_check(c, power.check, needs, c.change("attack")):
            return None
        bare = "skill" in power.check and self.last[2] and power.check.get(
            "critical", self.rules.get("critical", "ignores-armor")) == "ignores-armor"
        return {"bare": bare}

    def dodges(self, e, total):
        """A test of Fray, as against a shot."""
        if e.fray is None or self.fray_shots == "none":
            return False
        skill = e.fray // 2 if self.fray_shots == "half" else e.fray
        return self.test(e, skill + e.change("fray"), f"{e.name} Fray")[1]

    def has_changed(self, e):
        self.note_stun(e)
        if e.stunned:
            e.delayed = None  # what it has delayed is lost

    def hurt(self, victim, amount, by, together):
        amount = max(0, amount)
        by.count["damage"] += amount if by is not victim else 0
        victim.count["damage_taken"] += amount
        wounds = amount // victim.threshold if victim.threshold else 0
        self.tell(f"    {victim.name} takes {amount}, wounds {wounds}")
        if by is not victim and by in together and victim in together:  # W-5
            together[victim].append((amount, wounds))
        else:
            self.harm(victim, amount, wounds)

    def harm(self, c, amount, wounds):
        def order():
            """For each who is still to come: -1 behind c, 0 level with it, 1 before it."""
            mine, others = self.rank(c), [e for e in self.all if e is not c and self.waits(e)]
            return [(self.rank(e) > mine) - (self.rank(e) < mine) for e in others]

        if not c.standing:
            return
        waited, before = self.waits(c), order()
        c.hp = max(0, c.hp - amount)
        if amount > 0:
            self.end(c, lambda one: one.ends == "damage")
            if not c.standing:
                self.is_down(c)
        c.wounds += wounds
        c.count["wounds"] += wounds
        c.count["reorderings"] += waited and c.standing and any(
            now > then for now, then in zip(order(), before))

    def settle(self, together):
        """What those who act on one instant have done to one another counts now."""
        for c, harms in together.items():
            if harms:
                self.harm(c, sum(h[0] for h in harms), sum(h[1] for h in harms))
        self.changes_count(together)
        self.let_go(together)

    def heal(self, c, amount):
        before = c.hp
        c.hp = min(c.max_hp, c.hp + amount.roll(0, self.chance))
        c.count["healed"] += c.hp - before

    def act(self, said, together):
        c = said.who
        self.tell(f"    {c.name}: {said.line.text}")
        if said.kind == "delay":
            c.delayed, c.done = (self.round, self.phase, c.place), True
            c.held = False
            c.count["delays"] += 1
            return
        if said.kind == "leave":
            c.done = True
            self.leave(c, said.line.verb, together)
            return
        c.acted = c.busy = True
        if said.kind != "quick":
            c.count[f"actions_phase_{self.phase_of(c)}"] += 1
        if said.kind == "quick":
            c.quick_left -= 1
        elif said.kind == "task":
            c.task_used = True
        else:
            c.complex_used = True
        if said.line.verb == "stand":
            c.prone = False
        elif said.line.verb == "draw":
            c.hand.add(said.what)
        elif said.line.verb == "use":
            power, target = c.powers[said.line.name], said.target
            if not target.standing or not power.reaches(c, target):  # W-4
                target = self.target_of(c, said.line.target, power)
            if target is not None:
                self.use_item(c, said.line.name, target, together)
        elif said.kind == "task":
            task = said.what
            c.progress[task.name] = c.progress.get(task.name, 0) + 1
            if c.progress[task.name] >= task.phases:
                c.count["tasks_done"] += 1
                self.heal(c, task.heal)
                target = task.damage and self.choose_target(
                    c, said.line.target, lambda e: gap(c, e) <= task.span)
                if target:
                    self.hurt(target, task.damage.roll(0, self.chance) - target.armor_now, c, together)
        elif self.aim(said):
            c.attacked = True
            self.attack(c, said.what, said.target, together)
        else:
            c.attacked = True
            c.count["attacks_lost"] += 1

    def aim(self, said):
        """W-4: the target that a declared attack has now, if any."""
        near = lambda e: gap(said.who, e) <= self.span_of(said.who, said.what)
        if not (said.target.standing and near(said.target)):
            said.target = self.choose_target(said.who, said.line.target, near)
        return said.target

    # --- stages -------------------------------------------------------------------------------

    def play_group(self, group, under_way=()):
        """The stages of those who act on one instant, beat by beat (W-5)."""
        together = {c: [] for c in group} if len(group) > 1 else {}
        self.instants.append(together)
        for c in group:
            c.done = False
        while True:
            beat = []
            for c in group:
                if c.done or not c.standing:
                    continue
                said = (c.walk and self.go_on(c, True)) if c in under_way else self.choose(c)
                if said:
                    beat.append(said)
                else:
                    c.done = True
            if not beat:
                break
            if any(said.kind in ("attack", "complex", "task", "step") for said in beat):
                self.declared.append(beat)
                self.point()
                self.declared.pop()
            if self.gives_back:  # EP-6: what an interruption has made impossible
                for said in [s for s in beat if s.kind == "attack" and s.who.standing]:
                    if not self.aim(said):
                        said.who.count["attacks_lost"] += 1
                        beat.remove(said)
            for said in beat:
                if len({c.side for c in self.all if c.standing}) < 2:
                    break  # W-6: neither made nor lost
                if said.kind != "step" and said.who.standing:
                    self.act(said, together)
            self.steps = []  # of this beat: none may cross an enemy's (W-5)
            for said in beat:
                if said.kind == "step" and said.who.standing:
                    self.step(said.who)
            if len({c.side for c in self.all if c.standing}) < 2:
                raise Over
        self.settle(self.instants.pop())
        for c in group:
            c.done, c.interrupting = True, False
        if len({c.side for c in self.all if c.standing}) < 2:
            raise Over

    def highest(self, some, key=None):
        key = key or self.total
        return [c for c in some if key(c) == max(map(key, some))]

    def point(self):
        """EP-6: a point at which delayed actions may be taken."""
        while True:
            # Who delays at an instant is asked when that instant is over.
            busy = {c for together in self.instants for c in together}
            waiting = [c for c in self.all if c.standing and c.delayed and c not in busy]
            want = [c for c in waiting if self.asks(c, "interrupt")]
            if not want:
                return
            group = self.highest(want)
            for c in group:
                c.count["interruptions"] += 1
            self.take_delayed(group)

    def take_delayed(self, group):
        self.tell(f"   delayed: {[(c.name, self.total(c)) for c in group]}")
        for c in group:
            turn, phase, c.put_off = c.delayed
            if self.per_speed:
                if turn != self.round:
                    c.put_off = c.place
                    c.place += 1  # it costs the next place of this turn
                if not self.whole:
                    c.used = 0
            elif (turn, phase) != (self.round, self.phase):
                c.to_come = False  # it costs this Phase's action
            c.delayed = None
            c.begin_stage(True)
        self.play_group(group)

    def comes_up(self, group):
        """The places of a group."""
        self.tell(f"  {[(c.name, self.total(c), c.at, c.hp) for c in group]}")
        under_way = [c for c in group if c.under_way]
        for c in group:
            c.to_come, c.at_place = False, True
            if c not in under_way:
                c.count["delays_lost"] += c.delayed is not None
                c.delayed = None  # EP-6: lost by now
                c.begin_stage(False)
                if self.per_speed and not self.whole:
                    c.used = 0
        self.play_group(group, under_way)
        for c in group:
            c.at_place = False
            c.place += self.per_speed

    def spend_moxie(self, able):
        """EP-5: all on the same state."""
        spent = [c for c in able if c.standing and c.moxie > 0 and not c.stunned
                 and self.asks(c, "spend")]
        for c in spent:
            self.tell(f"  {c.name} spends Moxie")
            c.moxie -= 1
            c.count["moxie_spent"] += 1
            c.first = True

    def end_phase(self):
        """Who still has a delayed action holds it, or acts as the last."""
        self.tell("  the end")
        while True:
            # EP-6: `hold` is asked again after each other delayed action.
            left = [c for c in self.all
                    if c.standing and c.delayed and not self.asks(c, "hold")]
            if not left:
                break
            self.take_delayed(self.highest(left))
            self.point()
        for c in self.all:
            if c.standing and c.delayed:
                c.count["delays_held"] += not c.held  # the action, however often
                c.held = True

    def play_phase(self):
        for c in self.all:
            if not self.whole:
                c.used = 0
            c.first = False
            c.under_way = c.speed_now < self.phase and c.walk is not None and c.delayed is None \
                and not self.whole
            c.to_come = c.speed_now >= self.phase or c.under_way
        self.spend_moxie([c for c in self.all if c.speed_now >= self.phase])
        self.point()
        while True:
            waiting = [c for c in self.all if self.waits(c)]
            if not waiting:
                break
            self.comes_up(self.highest(waiting, self.rank))
            self.point()
        self.end_phase()

    def play_turn_per_speed(self):
        """EP-7."""
        self.phase = 0
        for c in self.all:
            c.first = c.under_way = False
            c.walk = None
        self.spend_moxie(self.all)
        self.point()
        while True:
            waiting = [c for c in self.all if self.waits(c)]
            if not waiting:
                break
            group = self.highest(waiting, self.rank)
            self.comes_up(group)
            self.point()
        self.end_phase()

    def play(self, chance):
        self.chance = chance
        self.declared = []  # a beat for each stage that is under way or interrupted
        self.instants = []  # for each of these, what waits until it is over (W-5)
        for c in self.all:
            c.reset()
        try:
            for self.round in range(1, self.max_rounds + 1):
                self.tell(f"Turn {self.round}")
                for c in self.all:
                    self.suffer_conditions(c)
                if len({c.side for c in self.all if c.standing}) < 2:
                    for c in self.all:
                        c.busy = False
                    raise Over
                self.roll_initiative()
                for c in self.all:
                    c.walk, c.used, c.busy = None, 0, False
                if self.per_speed:
                    self.play_turn_per_speed()
                else:
                    for self.phase in range(1, PHASES + 1):
                        self.tell(f" Phase {self.phase}")
                        self.play_phase()
                for c in self.all:
                    c.count["turns"] += c.busy
                for c in self.all:
                    self.turn_ends(c)
                self.round_ends()
        except Over:
            while self.instants:
                self.settle(self.instants.pop())
            for c in self.all:
                c.count["turns"] += c.busy
            sides = {c.side for c in self.all if c.standing}
            return sides.pop() if sides else "mutual"
        return "timeout"


# ---------------------------------------------------------------------------------------------
# Self-test: the examples of the text
# ---------------------------------------------------------------------------------------------

def self_test():
    def order(combatants, faces, rules=None):
        """Who acts in which order, on scripted dice."""
        fight = Fight({"rules": rules or {}, "encounter": {"max_rounds": 1},
                       "weapons": {"gun": {"kind": "ranged", "range": 99, "damage": 15,
                                           "check": {"skill": 98}}},
                       "combatants": combatants})
        told = []
        fight.tell = lambda text: told.append(re.findall(r"\('([^']+)', (-?\d+)", text))
        chance = ScriptedChance(faces)
        fight.play(chance)
        assert not chance.faces, f"dice left over: {chance.faces}"
        return [(name, int(total)) for told_line in told for name, total in told_line]

    def person(name, init, side="a", policy=("pass",), **more):
        return {"name": name, "side": side, "position": 0, "initiative": init, "health": 100,
                "policy": list(policy), "wound_threshold": 5, **more}

    trio = [person("adam", 8), person("bob", 11), person("cami", 6, side="b")]
    assert order(trio, [3, 2, 8]) == [("cami", 14), ("bob", 13), ("adam", 11)]
    # Cami's shot of 15 wounds Bob three times before he has acted: 13 becomes 10.
    trio[2] |= {"weapons": ["gun"], "policy": ["attack bob"]}
    assert order(trio, [3, 2, 8, 51]) == [("cami", 14), ("adam", 11), ("bob", 10)]
    # A Fury of Speed 2 acts on 14 and on 11.
    fury = [person("fury", 8, speed=2), person("other", 7, side="b")]
    assert order(fury, [3, 6, 5], {"initiative": {"roll": "per-speed"}}) == [
        ("fury", 14), ("other", 12), ("fury", 11)]
    print("self-test: the examples as the text tells them")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit()
    try:
        mage_reference.main(Fight, __doc__)
    except BrokenPipeError:  # `| head` is no error
        sys.stderr.close()
