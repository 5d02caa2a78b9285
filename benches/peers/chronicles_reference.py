#!/usr/bin/env python3
"""A slow, plain reading of the Chronicles rules, to compare the engine with.

It reads a scenario (docs/FORMAT.md), plays it with Python's own random numbers, every die of every
pool rolled, and prints the means of every metric with their standard errors as JSON. It shares no
code and no design with the engine on purpose: each rule is written down as its text says it, and
cites its id (CD-3). An interrupt is a call within a call. What scenario files of all systems share
comes from reference.py, what systems of turns share from mage_reference.py.

    python3 benches/peers/chronicles_reference.py benches/peers/fights/chronicles-duel.toml --n 4000
    python3 benches/peers/chronicles_reference.py benches/peers/fights/chronicles-duel.toml --trace 0

Needs Python 3.11 or later and nothing else.
"""

import copy
import re

import mage_reference
import reference
from effects import Bearer, Power
from mage_reference import Feat, Field, levels_of
from reference import Condition, Dice, Over, gap

reference.VARIABLES.update({
    "initiative", "place", "turns_left", "enemies_left", "enemy_acted", "delayed", "interrupted",
    "target.acted", "target.readied", "defence", "target.defence", "ongoing", "target.ongoing",
    "wounds", "target.wounds"})
SUCCEEDS = 8  # CD-6
EVENTS = ("comes-within", "leaves", "moves", "attacks", "casts", "uses", "draws", "falls", "acts")
ACTS = {"attack": "attacks", "cast": "casts", "use": "uses", "draw": "draws"}


# ---------------------------------------------------------------------------------------------
# Checks and damage
# ---------------------------------------------------------------------------------------------

class Pool:
    """A pool as a scenario writes it (CD-6)."""

    def __init__(self, table, rules):
        self.size, self.required = table["pool"], table.get("required", 1)
        again = str(table.get("again", rules.get("again", "10")))
        self.again = 11 if again == "none" else int(again)
        self.rote, self.extra_damage = table.get("rote", False), table.get("extra_damage", 1)

    def roll(self, dice, chance):
        """(successes, whether it was a dramatic failure) of so many dice."""
        if dice <= 0:
            face = chance.die(10)
            return int(face == 10), face == 1
        successes = 0
        for _ in range(dice):
            face = chance.die(10)
            if self.rote and face < SUCCEEDS:
                face = chance.die(10)
            successes += face >= SUCCEEDS
            while face >= self.again:
                face = chance.die(10)
                successes += face >= SUCCEEDS
        return successes, False


class Check:
    """Whether an attack or spell works; of a pool also how well."""

    def __init__(self, table, rules, mastery=0):
        self.pool = Pool(table, rules) if "pool" in table else None
        self.mastery, self.beat = mastery, rules.get("hit", "meet") == "beat"
        self.dice = Dice(table["dice"]) if "dice" in table else None
        self.bonus, self.skill = table.get("bonus", 0), table.get("skill", 0)
        self.criticals = table.get("critical", "ignores-armor") == "ignores-armor"

    def roll(self, off, target, chance):
        """(works, successes, dramatic failure, ignores armour) with so many dice taken off."""
        if self.pool:
            successes, dramatic = self.pool.roll(self.pool.size + self.mastery - off, chance)
            return successes >= self.pool.required, successes, dramatic, False
        if self.dice:
            total = sum(chance.die(self.dice.sides) for _ in range(self.dice.count))
            total += self.dice.extra + self.bonus + self.mastery - off
            return total >= target.evade_now + self.beat, 0, False, False
        face = chance.die(100) - 1
        works = face == 0 or (face != 99 and face <= self.skill + self.mastery - 10 * off)
        return works, 0, False, works and self.criticals and face % 11 == 0

    def extra(self, successes):
        return successes * self.pool.extra_damage if self.pool else 0


class Amount:
    """Damage: a number, dice notation, or a pool, to which extra damage adds dice."""

    def __init__(self, value, rules):
        self.pool = Pool(value, rules) if isinstance(value, dict) else None
        self.dice = None if self.pool else Dice(value)

    def roll(self, extra, chance):
        if self.pool:
            return self.pool.roll(self.pool.size + extra, chance)[0]
        return (sum(chance.die(self.dice.sides) for _ in range(self.dice.count))
                + self.dice.extra + extra)


# ---------------------------------------------------------------------------------------------
# Policies
# ---------------------------------------------------------------------------------------------

class Trigger:
    """WHO comes-within N, leaves N, moves, attacks, attacks me, casts, uses, draws, falls, acts."""

    def __init__(self, words):
        words = [word.strip('"') for word in words]
        self.who, self.event = words[0], words[1]
        assert self.event in EVENTS, words
        self.near = int(words[2]) if self.event in ("comes-within", "leaves") else None
        self.me = words[2:] == ["me"]


class Line:
    """One line: a feat, `ready FEAT when TRIGGER`, `delay`, `cancel`; then [if CONDITION]."""

    def __init__(self, text):
        self.text = text
        self.feat = self.trigger = self.until = self.condition = None
        self.yields = 0
        head, found, condition = text.partition(" if ")
        if found:
            self.condition = Condition(condition)
        words = re.findall(r'"[^"]*"|[^\s"]+', head)
        self.verb = words[0]
        if self.verb == "ready":
            when = words.index("when")
            self.feat = Feat(words[1:when], target="unsaid")
            self.trigger = Trigger(words[when + 1:])
        elif self.verb == "delay":
            head, found, condition = head.partition(" until ")
            if found:
                self.until = Condition(condition)
            words = head.split()[1:]
            if words:
                assert words[0] == "yield"
                self.yields = int(words[1]) if words[1:] else 64
        elif self.verb != "cancel":
            self.feat = Feat(words)


class View(reference.View):
    """What a condition may ask: the variables of docs/FORMAT.md."""

    attacked = property(lambda v: v.me.attacked)
    initiative = property(lambda v: v.me.initiative)
    place = property(lambda v: v.fight.place_of(v.me))
    turns_left = property(lambda v: len(v.fight.still_to_come(v.me)))
    enemies_left = property(lambda v: sum(c.side != v.me.side
                                          for c in v.fight.still_to_come(v.me)))
    enemy_acted = property(lambda v: v.me.enemy_acted)
    delayed = property(lambda v: v.me.came_in)
    interrupted = property(lambda v: v.me.interrupted)
    target_acted = property(lambda v: not v.foe.pending and v.foe.delay is None)
    target_readied = property(lambda v: v.foe.readied is not None)
    defence = property(lambda v: v.fight.defence_of(v.me))
    target_defence = property(lambda v: v.fight.defence_of(v.foe))
    ongoing = property(lambda v: v.fight.ongoing_of(v.me))
    target_ongoing = property(lambda v: v.fight.ongoing_of(v.foe))
    wounds = property(lambda v: v.me.wounds())
    target_wounds = property(lambda v: v.foe.wounds())


# ---------------------------------------------------------------------------------------------
# The scenario
# ---------------------------------------------------------------------------------------------

class Weapon:
    def __init__(self, name, table, rules):
        self.name = name
        self.melee = table["kind"] == "melee"
        self.span = table.get("reach", 0) if self.melee else table["range"]  # W-2
        self.check = Check(table["check"], rules, table.get("mastery", 0))
        self.damage, self.ongoing = Amount(table["damage"], rules), table.get("ongoing")
        self.ignores_defence = table.get("ignores_defence", False)
        self.damage_type = table.get("damage_type")
        self.power = Power({"effects": table.get("effects", [])}, "enemy")


class Spell:
    def __init__(self, name, table, rules):
        self.name, self.span, self.melee = name, table.get("range", 0), False
        self.check = Check(table["check"], rules) if "check" in table else None
        self.damage, self.ongoing = Amount(table.get("damage", 0), rules), table.get("ongoing")
        self.power = Power(table, "enemy") if "effects" in table else None
        self.damage_type = table.get("damage_type")


class Needed:
    """What a roll that adds has to reach, where it is no one's evade."""

    def __init__(self, needs):
        self.evade_now = needs


class Combatant(Bearer):
    def __init__(self, fight, table, name, index):
        self.fight, self.index, self.name, self.group = fight, index, name, table["name"]
        self.side, self.start = table["side"], table["position"]
        a = table["attributes"]
        self.rating = a["dexterity"] + a["composure"]
        self.move, self.armor = table["move"], table.get("armor", 0)
        self.defence, self.evade = table.get("defence", 0), table.get("evade", 0)
        self.regeneration, self.bleeds = table.get("regeneration", 0), table.get("ongoing")
        self.spent = 0
        self.levels = levels_of(table) if fight.track else None
        self.max_hp = len(self.levels) if fight.track else table["health"]
        self.weapons = [fight.weapons[w] for w in table.get("weapons", [])]
        self.undrawn = set(table.get("undrawn", []))
        self.items = table.get("items", [])
        self.read_effects(table, fight.scenario.get("items", {}))
        self.starts_prone = table.get("prone", False)
        policy = table["policy"]
        lines = fight.scenario["policies"][policy] if isinstance(policy, str) else policy
        self.policy = [Line(text) for text in lines]

    def reset(self):
        self.at, self.hp, self.prone = self.start, self.max_hp, self.starts_prone
        self.begin_effects()
        self.hand = {w.name for w in self.weapons} - self.undrawn
        self.uses = {i: self.fight.scenario["items"][i].get("uses", 1) for i in self.items}
        self.readied = None     # the line (CD-3)
        self.bleeding = []      # [damage, places that it still comes at] (CD-5)
        self.defended = 0       # attacks since Defence was whole (CD-6)
        self.loses_turn = False
        self.spell = None       # that it has declared
        self.count = dict.fromkeys(["healed", *self.fight.counts], 0)
        self.first_attack = None
        if self.bleeds:
            self.bleeding.append([self.bleeds["damage"], self.bleeds["rounds"]])
        self.begin_round()
        self.begin_turn()

    def begin_round(self):
        self.pending = True     # a turn is still to come
        self.came_up = False    # its place, with the effects tied to it (CD-5)
        self.delay = None       # the line, while it waits (CD-2)
        self.came_in = self.enemy_acted = self.comes_next = False

    def begin_turn(self):
        self.spent = 0  # Units of the turn
        self.moved = self.acted = self.attacked = self.interrupted = self.stirred = False

    move_now = property(lambda c: max(0, c.move + c.change("move")))
    move_left = property(lambda c: max(0, c.move_now - c.spent))

    def wounds(self):
        if self.levels is None or self.hp >= self.max_hp or self.hp <= 0:
            return 0
        return self.levels[self.max_hp - self.hp - 1][1]


class Fight(Field):
    base_counts = ["health", "damage", "damage_taken", "attacks", "hits", "attacks_lost", "units_moved",
              "spells_cast", "turns", "successes", "dramatic_failures", "interrupts", "interrupted",
              "readied", "readied_lost", "cancelled", "delays", "actions_lost", "places_gained",
              "places_lost", "first_blood"]
    FIRST_ATTACK = "first_attack_round"
    ends_when, near = (), 0

    def __init__(self, scenario):
        self.scenario, self.rules = scenario, scenario.get("rules", {})
        say = self.rules.get
        self.max_rounds = scenario.get("encounter", {}).get("max_rounds", 50)
        self.per_round = say("initiative", {}).get("roll") == "per-round"
        self.track = say("health") == "track"
        self.early_adds = say("early_trigger") == "adds"
        self.ask_again = say("yield") == "ask-again"
        self.delays, self.readies = say("delays", True), say("readies", True)
        self.lost_actions = say("lost_actions", "lost")
        self.regeneration_first = say("effects_first") == "regeneration"
        self.worst = say("ongoing") == "worst"
        self.erodes = say("defence", "erodes") == "erodes"
        self.dramatic_failure = say("dramatic_failure", "none")
        self.dramatic_damage = Amount(say("dramatic_damage", 0), self.rules)
        self.weapons = {n: Weapon(n, t, self.rules)
                        for n, t in scenario.get("weapons", {}).items()}
        self.spells = {n: Spell(n, t, self.rules) for n, t in scenario.get("spells", {}).items()}
        self.counts = self.base_counts
        self.muster(Combatant)
        self.counts = self.base_counts + self.optional_counts()

    # --- the order (CD-1) ---------------------------------------------------------------------

    def roll_order(self):
        for c in self.all:
            c.initiative = c.rating + self.chance.die(10) + c.change("initiative")
        self.order = self.roll_off(self.all, lambda c: (c.initiative, c.rating))

    def roll_off(self, tied, rank):
        """In order of rank; who is tied rolls 1d10, and again."""
        ranks = {}
        for c in tied:
            ranks.setdefault(rank(c), []).append(c)
        order = []
        for key in sorted(ranks, reverse=True):
            if len(ranks[key]) > 1:
                faces = {c: self.chance.die(10) for c in ranks[key]}
                ranks[key] = self.roll_off(ranks[key], faces.get)
            order += ranks[key]
        return order

    def place_of(self, c):
        return 1 + [o for o in self.order if o.standing].index(c)

    def place(self, c, *, before=None, after=None):
        self.order.remove(c)
        at = self.order.index(before) if before else self.order.index(after) + 1
        self.order.insert(at, c)
        self.tell(f"   {c.name} is now {'before' if before else 'after'} {(before or after).name}")

    def note_places(self, old):
        """{combatant: place before}: what those who take new places at one moment gain and lose."""
        for c, place in old.items():
            c.count["places_gained"] += max(0, place - self.place_of(c))
            c.count["places_lost"] += max(0, self.place_of(c) - place)

    def still_to_come(self, c):
        return [o for o in self.all if o is not c and o.standing and o.pending]

    # --- effects tied to the turn (CD-5) ------------------------------------------------------

    def ongoing_of(self, c):
        now = [damage for damage, _ in c.bleeding]
        return max(now, default=0) if self.worst else sum(now)

    def defence_of(self, c):
        whole = c.defence + c.change("defence")
        return max(0, whole - c.defended) if self.erodes else max(0, whole)

    def place_comes_up(self, c):
        c.came_up = True

        def bleed():
            damage = self.ongoing_of(c)
            c.bleeding = [[d, left - 1] for d, left in c.bleeding if left > 1]
            self.hurt(c, damage, None)

        def regenerate():
            if c.standing:
                c.hp = max(c.hp, min(c.most_hp, c.hp + c.regeneration))

        for effect in (regenerate, bleed) if self.regeneration_first else (bleed, regenerate):
            effect()
        self.suffer_conditions(c)
        c.defended = 0

    def hurt(self, victim, amount, by):
        if amount <= 0:
            return
        if by is not None and by is not victim:
            by.count["damage"] += amount
        if by is not None and by.side != victim.side:
            by.count["first_blood"] += not any(c.count["first_blood"] for c in self.all)
        victim.count["damage_taken"] += amount
        victim.hp = max(0, victim.hp - amount)
        self.end(victim, lambda one: one.ends == "damage")
        self.tell(f"   {victim.name} takes {amount}, {victim.hp} left")
        if not victim.standing:
            victim.readied = None
            self.fallen.append(victim)
            self.is_down(victim)
        self.check_end()

    def check_end(self):
        if not self.spreading and len({c.side for c in self.all if c.standing}) < 2:
            raise Over  # W-6

    # --- effects (W-11) -----------------------------------------------------------------------

    def amount(self, value):
        return Amount(value, self.rules)

    def take(self, by, e, amount, together):
        self.hurt(e, amount, by)

    def plain_check(self, e, table, needs, more=0):
        """A check that is no attack: with wounds."""
        check = Check(table, self.rules)
        self.last = check.roll(e.wounds() - more, Needed(needs), self.chance)
        return self.last[0]

    def power_check(self, c, power, target):
        needs = power.needs if power.needs is not None else target.evade_now
        if not self.plain_check(c, power.check, needs, c.change("attack")):
            return None
        _, successes, _, pierces = self.last
        return {"extra": Check(power.check, self.rules).extra(successes), "bare": pierces}

    def spread(self, c, power, target, hit):
        """Effects come to all whom they reach, also when that decides the encounter."""
        self.spreading = True
        self.affect(c, power, target, hit)
        self.spreading = False
        self.check_end()

    def has_changed(self, e):
        if e.stunned and e.readied is not None:  # what it has readied is lost
            e.readied = None
            e.count["readied_lost"] += 1

    # --- triggers and interrupts (CD-3) -------------------------------------------------------

    def happens(self, actor, event, on=None, before=None, busy=None):
        """What others have readied for this interrupts the one that is busy, mostly the actor, now."""
        busy = busy or actor

        def triggered(e):
            t = e.readied.trigger
            if t.event == "acts":
                told = event in ("moves", "attacks", "casts", "uses", "draws", "stands")
            else:
                told = t.event == event or (event == "stepped" and t.near is not None)
            foe = e.side != actor.side
            by = {"enemy": foe, "ally": not foe, "anyone": True}.get(
                t.who, t.who in (actor.name, actor.group))
            if not told or not by or (t.me and on is not e):
                return False
            if t.event == "comes-within":
                return before[e] > t.near >= gap(actor, e)
            return t.event != "leaves" or before[e] <= t.near < gap(actor, e)

        ready = [e for e in self.order if e is not actor and e.standing
                 and e.readied is not None and triggered(e)]
        # All decide on the same state, in the order of their previous places; whether one is able is
        # judged then, too.
        cancels = {e: any(line.verb == "cancel" and self.holds(line, e, actor)
                          for line in e.policy) for e in ready}
        feats = {e: self.readied_feat(e, e.readied, actor) for e in ready}
        able = {e: cancels[e] or self.fits(e, feats[e], actor) is not None for e in ready}
        old = {e: self.place_of(e) for e in ready}
        for e in ready:
            e.readied = None
            e.count["cancelled"] += cancels[e]
            e.count["readied_lost"] += not able[e]
            self.tell(f"   {e.name} is triggered: {actor.name} {event}; cancels: {cancels[e]}, "
                      f"able: {able[e]}")
            if able[e]:
                self.place(e, before=busy)
        for e in reversed(ready):
            if not able[e]:
                self.place(e, after=busy)
        self.note_places(old)
        for e in ready:
            if not e.came_up:  # CD-5: a new place before the old one has come up
                e.pending = self.early_adds
                self.place_comes_up(e)
        self.tell_falls(busy)
        for e in ready:
            if cancels[e] or not able[e] or not e.standing:
                continue
            found = self.fits(e, feats[e], actor)
            if found is None:  # another has come first
                e.count["readied_lost"] += 1
                continue
            busy.interrupted = True
            busy.count["interrupted"] += 1
            e.count["interrupts"] += 1
            if feats[e].verb in ("advance", "retreat"):
                self.walk(e, feats[e], found[1], readied=True)
            else:
                self.carry_out(e, feats[e], *found, readied=True)

    def tell_falls(self, busy):
        """Falls trigger, too; the one that is busy is interrupted."""
        fallen, self.fallen = sorted(self.fallen, key=lambda c: c.index), []
        for c in fallen:
            self.happens(c, "falls", busy=busy)

    def readied_feat(self, c, line, actor):
        """What was readied; a target that is not said is the trigger, if it can ever be one."""
        if line.feat.target != "unsaid":
            return line.feat
        feat = copy.copy(line.feat)
        never = line.trigger.event == "falls" or actor.side == c.side
        feat.target = "nearest" if never else "trigger"
        return feat

    # --- acting -------------------------------------------------------------------------------

    def fits(self, c, feat, trigger=None):
        """(what, target) of an action that can be done now, else None."""
        if feat.verb in ("advance", "retreat"):  # readied
            if c.prone or not c.move_now:
                return None
            target = self.aim(c, feat, None, trigger)
            return (None, target) if target and self.wanted(c, feat, target) else None
        if feat.verb == "attack":
            if c.prone:
                return None
            tools = [w for w in c.weapons if feat.weapon in (None, w.name) and w.name in c.hand]
        elif feat.verb == "cast":
            tools = [self.spells[feat.name]]
            if tools[0].power:
                target = self.target_of(c, feat.target, tools[0].power)
                return (tools[0], target) if target else None
        elif feat.verb == "draw":
            names = [w.name for w in c.weapons
                     if w.name not in c.hand and feat.name in (None, w.name)]
            return (names[0], None) if names else None
        elif feat.verb == "use":
            if not c.uses.get(feat.name):
                return None
            target = self.target_of(c, feat.target, c.powers[feat.name])
            return (feat.name, target) if target else None
        else:
            assert feat.verb == "stand", feat.verb
            return (None, None) if c.prone else None
        for tool in tools:
            target = self.aim(c, feat, tool, trigger)
            if target:
                return tool, target
        return None

    def aim(self, c, feat, tool, trigger=None):
        if feat.target == "trigger":
            good = (trigger and trigger.standing and trigger.side != c.side
                    and (tool is None or gap(c, trigger) <= self.span_of(c, tool)))
            return trigger if good else None
        return self.choose_target(c, feat.target,
                                  lambda e: tool is None or gap(c, e) <= self.span_of(c, tool))

    def carry_out(self, c, feat, what, target, readied=False):
        """Declared, then done, unless an interrupt has made it impossible (CD-4)."""
        self.tell(f"  {c.name} {feat.verb} {getattr(what, 'name', what)} "
                  f"{target.name if target else ''}")
        c.spell = what if feat.verb == "cast" else None
        self.happens(c, ACTS.get(feat.verb, "stands"), on=target)
        c.spell = None
        if not c.standing:
            return
        power = c.powers[what] if feat.verb == "use" else getattr(what, "power", None)
        own = feat.verb in ("use", "cast") and power is not None  # its reach is its own
        near = (lambda e: power.reaches(c, e)) if own else (
            lambda e: gap(c, e) <= self.span_of(c, what))
        if target and not (target.standing and near(target)):
            target = None
            if self.lost_actions == "retarget":
                target = self.target_of(c, feat.target, power) if own else self.aim(c, feat, what)
            if target is None:
                self.tell(f"   {c.name}: lost")
                if self.lost_actions == "kept" and not readied:
                    c.acted = False
                else:
                    c.count["actions_lost"] += 1
                    c.count["attacks_lost"] += feat.verb == "attack"
                return
        if feat.verb == "attack":
            self.attack(c, what, target)
        elif feat.verb == "cast":
            self.cast(c, what, target)
        elif feat.verb == "draw":
            c.hand.add(what)
        elif feat.verb == "stand":
            c.prone = False
        else:
            self.spreading = True
            self.use_item(c, what, target)
            self.spreading = False
            self.check_end()
        self.tell_falls(c)

    def attack(self, c, weapon, target):
        c.attacked = True
        if c.first_attack is None:
            c.first_attack = self.round
        c.count["attacks"] += 1
        off = c.wounds()
        if not weapon.ignores_defence:  # CD-6
            off += self.defence_of(target)
            target.defended += 1
        self.strike(c, weapon, target, off - c.change("attack"))

    def cast(self, c, spell, target):
        c.count["spells_cast"] += 1
        self.strike(c, spell, target, -c.change("attack"))

    def strike(self, c, tool, target, off):
        """The roll of an attack or spell, and what it does."""
        works, successes, dramatic, pierces = True, 0, False, False
        if tool.check:
            works, successes, dramatic, pierces = tool.check.roll(off, target, self.chance)
        self.tell(f"   {successes} successes, {off} off{', dramatic' if dramatic else ''}")
        c.count["successes"] += successes
        c.count["dramatic_failures"] += dramatic
        if works and isinstance(tool, Spell) and tool.power:
            extra = tool.check.extra(successes) if tool.check else 0
            self.spread(c, tool.power, target, {"extra": extra, "bare": pierces})
        elif works:
            weapon = isinstance(tool, Weapon)
            c.count["hits"] += weapon
            extra = tool.check.extra(successes) if tool.check else 0
            extra += c.change("damage") if weapon else 0
            damage = tool.damage.roll(extra, self.chance) - (0 if pierces else target.armor_now)
            damage = self.by_kind(target, tool.damage_type, damage)
            self.hurt(target, damage, c)
            if weapon and target.standing:
                self.spread(c, tool.power, target, {})
            if damage > 0 and target.standing and tool.ongoing:  # CD-5
                target.bleeding.append([tool.ongoing["damage"], tool.ongoing["rounds"]])
        if dramatic and self.dramatic_failure == "lose-turn":
            c.loses_turn = True
        elif dramatic and self.dramatic_failure == "damage":
            self.hurt(c, self.dramatic_damage.roll(0, self.chance), None)

    def walk(self, c, feat, target, readied=False):
        """Unit by Unit; each is about to be moved, then has been. A readied move has Units of its own."""
        most = c.move_now
        for _ in range(min(feat.number or most, most) if readied else feat.number or 1):
            for begun in (False, True):
                if not target.standing:  # W-4
                    if feat.target == "trigger":
                        return
                    target = self.choose_target(c, feat.target, lambda e: True)
                left = readied or c.move_left > 0
                if not c.standing or not left or not self.wanted(c, feat, target):
                    return
                if not begun:
                    self.happens(c, "moves")
            before = {e: gap(c, e) for e in self.all}
            away = self.away(c, target)
            c.at += -away if feat.verb == "advance" else away
            c.count["units_moved"] += 1
            if not readied:
                c.spent += 1
                self.stirs(c)
                c.moved = True
            self.tell(f"  {c.name} moves to {c.at}")
            self.happens(c, "stepped", before=before)  # near to some, far from others

    # --- choosing -----------------------------------------------------------------------------

    def holds(self, line, c, about):
        return line.condition is None or bool(line.condition(View(self, c, about)))

    def nearest(self, c):
        return min(self.enemies(c), key=lambda e: gap(c, e))

    def plan(self, c, line):
        """(what, target) of a line that is legal now, else None."""
        feat = line.feat
        if line.verb == "pass":
            return None, None
        if line.verb == "cancel":
            return None
        if line.verb == "surrender" or (line.verb == "flee" and not c.prone and c.at in self.exits):
            return None, None
        if line.verb == "delay":  # CD-2
            free = (self.delays and not (c.moved or c.acted or c.came_in)
                    and self.still_to_come(c))
            return (None, None) if free else None
        if line.verb in ("advance", "retreat", "flee"):
            target = self.choose_target(c, feat.target, lambda e: True)  # W-4: of all
            if target and c.move_left and not c.prone and self.wanted(c, feat, target):
                return None, target
            return None
        if c.acted:
            return None
        if line.verb == "ready":
            if not self.readies:
                return None

            def can_trigger(e):
                return {"enemy": e.side != c.side, "ally": e.side == c.side, "anyone": True}.get(
                    line.trigger.who, line.trigger.who in (e.name, e.group))

            if not any(can_trigger(e) for e in self.all if e.standing and e is not c):
                return None  # whoever is named has fallen
            ruled_out = {"use": not c.uses.get(feat.name), "stand": not c.prone,
                         "draw": all(w.name in c.hand for w in c.weapons
                                     if feat.name in (None, w.name)),
                         "advance": not c.move_now, "retreat": not c.move_now}
            return None if ruled_out.get(feat.verb) else (None, None)
        return self.fits(c, feat)

    def choose(self, c):
        if c.stunned:
            return None
        for line in c.policy:
            found = self.plan(c, line)
            about = found and found[1] is not c and found[1]
            if found and self.holds(line, c, about or self.nearest(c)):
                return line, *found
        return None

    # --- turns --------------------------------------------------------------------------------

    def turn(self, c):
        """One turn, to its end or to a delay."""
        self.tell(f" {c.name}'s turn at {c.at}, {c.hp} left")
        c.pending = False
        if c.readied is not None:  # CD-3: not triggered before its next turn
            c.readied = None
            c.count["readied_lost"] += 1
        c.begin_turn()
        if not c.came_up:
            self.place_comes_up(c)
            self.tell_falls(c)
        if c.loses_turn and c.standing:
            c.loses_turn = False
            c.count["actions_lost"] += 1
            return
        while c.standing:
            chosen = self.choose(c)
            if chosen is None or chosen[0].verb == "pass":
                break
            line, what, target = chosen
            if line.verb == "delay":
                self.tell(f"  {c.name}: {line.text}")
                c.delay, c.enemy_acted = line, False
                c.count["delays"] += 1
                return
            if line.verb == "surrender" or (line.verb == "flee" and c.at in self.exits):
                self.leave(c, line.verb)
                self.check_end()
                return
            if line.verb in ("advance", "retreat", "flee"):
                self.walk(c, line.feat, target)
                continue
            self.stirs(c)
            c.acted = True
            if line.verb == "ready":
                self.tell(f"  {c.name}: {line.text}")
                c.readied = line
                c.count["readied"] += 1
            else:
                self.carry_out(c, line.feat, what, target)

    def stirs(self, c):
        c.count["turns"] += not c.stirred
        c.stirred = True

    def turn_is_over(self, c):
        """CD-2: who waited for this comes in directly after it."""
        waiting = [o for o in self.order if o.delay and o.standing]
        for o in waiting:
            o.enemy_acted = o.enemy_acted or o.side != c.side
        coming = [o for o in waiting
                  if o.delay.until is None or o.delay.until(View(self, o, self.nearest(o)))]
        first = []
        for o in reversed(coming):  # in order of previous places, some letting others go first
            first.insert(min(o.delay.yields, len(first)), o)
        if self.ask_again:
            del first[1:]
        old = {o: self.place_of(o) for o in first}
        for o in reversed(first):
            self.tell(f" {o.name} comes in")
            o.comes_next = True
            self.place(o, after=c)
            o.delay, o.came_in, o.pending = None, True, True
        self.note_places(old)

    def play(self, chance):
        self.chance, self.fallen, self.spreading = chance, [], False
        for c in self.all:
            c.reset()
        try:
            for self.round in range(1, self.max_rounds + 1):
                self.tell(f"Round {self.round}")
                for c in self.all:
                    c.begin_round()
                if self.round == 1 or self.per_round:
                    self.roll_order()
                while True:
                    due = [c for c in self.order if c.pending and c.standing]
                    if not due:
                        break
                    # CD-2: who has come in is next, whatever turns have been added.
                    c = next((c for c in due if c.comes_next), due[0])
                    c.comes_next = False
                    came_in = c.came_in
                    self.turn(c)
                    if not came_in:
                        self.turn_ends(c)
                    if c.delay is None:
                        self.turn_is_over(c)
                for c in self.all:
                    c.count["actions_lost"] += c.delay is not None and c.standing
                self.round_ends()
        except Over:
            sides = {c.side for c in self.all if c.standing}
            return sides.pop() if sides else "mutual"
        return "timeout"


if __name__ == "__main__":
    try:
        mage_reference.main(Fight, __doc__)
    except BrokenPipeError:  # `| head` is no error
        mage_reference.sys.stderr.close()
