#!/usr/bin/env python3
"""Checks an evidence pack of Juror's without any of Juror's code: `python3 verify_pack.py PACK.zip`.

It recomputes what needs no pictures: the hash of every entry, the hash that names the manifest, the hash of every request, every
verdict from its raw reply, each sample's scores from its verdicts, which incidents there are, and the means of everything and of
the groups that ids, turns and domains tell, by the rules of the authors' released code, for the five built-in benchmarks. It decodes
no pictures and writes no requests again from judge texts and lists, and says what it left out. Exit codes: 0 nothing differs,
1 something differs, 2 this is no pack that can be read, 3 only its hashes are sound: its verdicts and scores follow other rules
than these (another profile, policy, reading or benchmark, a panel, ratings).
"""
import hashlib, json, math, re, sys, zipfile

OWN = {"report.json": "report", "requests.jsonl": "requests", "verdicts.jsonl": "verdicts", "journal.jsonl": "pasted"}
ROLES = (READ := {"samples", "replies", "journal", "ratings", "measures", "prompts"}) | {"labels", "trajectories", "answer", "picture", "other"}
TITLES = {"weave": "WEAVEBench", "multibanana": "MultiBanana", "micon": "MICON-Bench", "vibe": "VIBE", "multiref": "MultiRef-Bench"}
# The keys of everything, in their order; some may be absent, no other may be there.
KEYS = {name: keys.split() for name, keys in {
    "manifest": "format juror protocol title profile policy only_judge only_run reading prompts models judges judge_names kinds pictures counts entries sha256",
    "entry": "path role size sha256 kept thumbnail picture", "report": "format provenance scores samples incidents",
    "provenance": "juror protocol profile policy reading tolerance judge run judge_names prompts formulas criteria scopes files models benchmark pictures_checked judges notices problems measures",
    "scores": "model judge profile policy scope key criterion mean n expected sd ci_low ci_high worst best panel",
    "samples": "model judge run sample turn criterion score status tied", "incidents": "model judge run sample turn criterion kind detail",
    "requests.jsonl": "model sample turn criterion sha256 prompts system parts grammar error",
    "verdicts.jsonl": "model sample turn criterion judge run status score parts counted reply source",
    "journal.jsonl": "format protocol model sample turn criterion judge run time request prompts reply error params answered_by anchor body",
    "text": "type text", "image": "type path role treatment sha256 other"}.items()}
def sha256(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()
def compact(value):
    """JSON as Juror writes it in one line: keys in the order in which they were read, the shortest digits of each number."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{compact(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    text = re.sub(r"(\d)\.?(\d*)e-05$", r"0.0000\1\2", repr(value)) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
    return re.sub(r"e\+?(-?)0*", r"e\1", text) if isinstance(value, float) else text
def pretty(value, indent=0):
    """JSON as Juror writes it in lines."""
    pad, (begin, end) = "\n" + "  " * (indent + 1), "{}" if isinstance(value, dict) else "[]"
    if not isinstance(value, (dict, list)) or not value:
        return compact(value)
    names = [f"{compact(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    rows = [name + pretty(one, indent + 1) for name, one in zip(names, value.values() if isinstance(value, dict) else value)]
    return begin + pad + ("," + pad).join(rows) + pad[:-2] + end
def rows_of(name, rows):
    return f'  "{name}": [' + ",".join("\n    " + compact(row) for row in rows) + ("\n  ]" if rows or name == "entries" else "]")
def manifest_text(manifest, seal):
    """A manifest as Juror writes it, one line for each entry, with this in the place of its hash."""
    head = pretty({**manifest, "entries": [], "sha256": seal})
    return head.replace('\n  "entries": []', "\n" + rows_of("entries", manifest["entries"]), 1) + "\n"
def report_text(report):
    provenance = pretty(report["provenance"], 1)
    rows = ",\n".join(rows_of(name, report[name]) for name in ("scores", "samples", "incidents"))
    return f'{{\n  "format": {compact(report["format"])},\n  "provenance": {provenance},\n{rows}\n}}\n'
def strict(text):
    """JSON whose keys are there once."""
    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a key is there twice")
        return dict(pairs)
    return json.loads(text, object_pairs_hook=once)
class Spans(json.JSONDecoder):
    """Reads JSON and keeps the text of each value, and of each member with its name, as it stands: `values`."""
    def __init__(self, text):
        super().__init__()
        self.text, self.values = text, []
        self.walk(re.match(r"\s*", text).end())
    def skip(self, at, more=""):
        return re.compile(r"[\s" + more + "]*").match(self.text, at).end()
    def walk(self, at):
        begin, is_object = at, self.text[at] == "{"
        if self.text[at] not in "{[":
            at = self.raw_decode(self.text, at)[1]
        else:
            at = self.skip(at + 1)
            while self.text[at] not in "}]":
                member = at
                at = self.walk(self.skip(self.raw_decode(self.text, at)[1], ":") if is_object else at)
                self.values += [self.text[member:at]] * is_object
                at = self.skip(at, ",")
            at += 1
        self.values.append(self.text[begin:at])
        return at
class Pack:
    """A pack with what differs in it."""
    def __init__(self, path):
        self.findings, self.covered, self.rest = [], True, {}
        archive, raw = zipfile.ZipFile(path), open(path, "rb").read()
        places = [(info.filename.replace("\\", "/"), info) for info in archive.infolist() if not info.is_dir() and not leftover(info.filename)]
        for name, info in places:
            if name.startswith("/") or ".." in name.split("/") or re.search(r"[\x00-\x1f\x7f]", name + info.orig_filename):
                raise ValueError(f"the name {name!r}")
        names = [name for name, _ in places]
        if len(set(names)) != len(names):
            raise ValueError("two entries of one name")
        # The manifest is at the root, or in the folder that all is in.
        folder = "" if "manifest.json" in names else names[0].split("/")[0] + "/"
        if folder + "manifest.json" not in names or not all(name.startswith(folder) for name in names):
            raise ValueError("there is no manifest at its root")
        self.files = {name[len(folder):]: archive.read(info) for name, info in places}
        self.check_outside(archive, raw)
        self.manifest = strict(self.files["manifest.json"].decode())
        if self.manifest["format"] != "juror-pack/1":
            raise ValueError(f"the format {self.manifest['format']!r}")
    def check_outside(self, archive, raw):
        """What a ZIP holds besides its files: comments, bytes of no file, folders with nothing in them, and other headers."""
        word = lambda at, size: int.from_bytes(raw[at:at + size], "little")
        last = len(raw) - 22 - len(archive.comment)
        if raw[last:last + 4] != b"PK\x05\x06" or word(last + 16, 4) not in (archive.start_dir, 2**32 - 1):
            raise ValueError("its list of files is damaged")
        self.tell("outside", "the ZIP's comment", archive.comment)
        at, infos = 0, sorted(archive.infolist(), key=lambda info: info.header_offset)
        for info, after in zip(infos, [info.header_offset for info in infos[1:]] + [archive.start_dir]):
            begin, sizes = info.header_offset, (info.CRC, info.compress_size, info.file_size)
            end = begin + 30 + word(begin + 26, 2) + word(begin + 28, 2) + info.compress_size
            fields = fields_of(info.extra) + fields_of(raw[begin + 30 + word(begin + 26, 2):end - info.compress_size])
            is_other = not info.flag_bits & 8 and any(word(begin + 14 + 4 * n, 4) not in (size, 2**32 - 1) for n, size in enumerate(sizes))
            if info.flag_bits & 8:  # Its sizes stand behind it.
                forms = [b"".join(size.to_bytes(4 if n == 0 else wide, "little") for n, size in enumerate(sizes)) for wide in (8, 4)]
                end += next((len(form) for form in [b"PK\x07\x08" + form for form in forms] + forms if raw.startswith(form, end)), 0)
            is_bare = info.is_dir() and info.filename != "./" and (info.file_size > 0 or not any(one.filename.startswith(info.filename) for one in infos if not one.is_dir()))
            self.tell("outside", info.filename, info.comment or is_bare or is_other or not set(fields) <= NOTES or (begin, end) != (at, after))
            at = end
    def tell(self, kind, about, differs=True):
        self.findings += [(kind, about)] * bool(differs)
    def keys(self, value, kind, about):
        """Whether all keys are known and in order."""
        is_known = isinstance(value, dict) and [key for key in KEYS[kind] if key in value] == list(value)
        self.tell("keys", about, not is_known)
        return is_known
    def rows(self, path):
        """The rows of a file of rows, each written as Juror writes it."""
        found = []
        for at, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+", self.files.get(path, b"").decode()), 1):
            try:
                row = strict(line)
                self.tell("format", f"{path}:{at}", self.keys(row, path, f"{path}:{at}") and compact(row) + "\n" != line)
                found.append(row)
            except ValueError as error:
                self.tell("row", f"{path}:{at}: {error}")
        return found
    def check(self):
        manifest = self.manifest
        self.keys(manifest, "manifest", "manifest.json")
        self.tell("manifest", "its own hash", sha256(manifest_text(manifest, "")) != manifest["sha256"])
        self.tell("format", "manifest.json", manifest_text(manifest, manifest["sha256"]).encode() != self.files["manifest.json"])
        self.check_entries()
        try:
            self.report = strict(self.files["report.json"].decode())
            self.tell("format", "report.json", report_text(self.report) != self.files["report.json"].decode())
        except (KeyError, ValueError, TypeError) as error:
            return self.tell("report", str(error))
        self.requests, self.verdicts = self.rows("requests.jsonl"), self.rows("verdicts.jsonl")
        for check in (self.check_report, self.check_requests, self.check_verdicts):
            check()
        self.covered &= manifest["protocol"] in RULES and not manifest.keys() & {"kinds", "reading"} and "panel:" not in manifest.get("only_judge", "") and (manifest["profile"], manifest["policy"]) == ("released", "upstream")
        checks = {"samples": self.check_samples, "incidents": self.check_incidents, "scores": self.check_scores}
        self.rest = {name: check() if self.covered else len(self.report[name]) for name, check in checks.items()}
    def check_entries(self):
        manifest, paths = self.manifest, [entry["path"] for entry in self.manifest["entries"]]
        self.tell("manifest", "the order of entries", paths != sorted(paths) or len(set(paths)) != len(paths))
        for entry in manifest["entries"]:
            path, role, kept = entry["path"], entry["role"], entry.get("kept", "full")
            self.keys(entry, "entry", path)
            is_picture = role == "picture"
            self.tell("extra_entry", path, is_picture and not re.search(r"\.(png|jpe?g|webp|gif|bmp)$", path.lower()))
            self.tell("role", path, (role not in ROLES and OWN.get(path) != role) or (path in OWN and role not in (OWN[path], "journal")))
            allowed = {"full": ("full",), "thumbnails": ("thumbnail", "left_out"), "none": ("left_out",)}[manifest["pictures"]]
            self.tell("kept", path, kept not in (allowed if is_picture else ("full",)) or ("picture" in entry and not is_picture))
            stated, data = {"full": entry, "thumbnail": entry.get("thumbnail")}.get(kept), self.files.get(path)
            self.tell("extra_entry" if stated is None else "missing_entry", path, (data is None) != (stated is None))
            self.tell("changed_entry", path, None not in (data, stated) and (stated.get("size"), stated.get("sha256")) != (len(data), sha256(data)))
            if kept == "full" and is_picture and data is not None:
                self.check_picture(entry, data)
        self.findings += [("extra_entry", path) for path in sorted(set(self.files) - set(paths) - {"manifest.json", "manifest.json.minisig"})]
    def check_picture(self, entry, data):
        """The size in the header of a PNG, which needs no decoder; and a whole one is called corrupt by nobody."""
        picture = entry.get("picture")
        is_png = isinstance(picture, dict) and data[:8] == b"\x89PNG\r\n\x1a\n" and "problem" not in picture
        size = {"width": int.from_bytes(data[16:20], "big"), "height": int.from_bytes(data[20:24], "big")}
        self.tell("picture", entry["path"], is_png and (("corrupt" in picture) == png_is_whole(data) or ("width" in picture and picture != size)))
    def check_report(self):
        manifest, report, said = self.manifest, self.report, self.report["provenance"]
        self.keys(report, "report", "report.json")
        self.keys(said, "provenance", "report.json: provenance")
        for name, at, row in ((name, at, row) for name in ("scores", "samples", "incidents") for at, row in enumerate(report[name])):
            self.keys(row, name, f"report.json: {name}[{at}]")
        for key in ("juror", "protocol", "profile", "policy", "reading", "prompts", "judge_names", "only_judge", "only_run"):
            self.tell("manifest", key, (manifest.get(key) or None) != (said.get(key.replace("only_", "")) or None))
        self.tell("manifest", "title", manifest["protocol"] in TITLES and manifest["title"] != TITLES[manifest["protocol"]])
        self.tell("manifest", "juror", not re.fullmatch(r"\d+\.\d+\.\d+(-[\w.]+)?", manifest["juror"], re.ASCII))
        counts = {"samples": (said["benchmark"] or {}).get("samples", 0), "models": len(said["models"]), "requests": len(self.requests),
                  "verdicts": len(self.verdicts), "stale": sum(row["status"] == "stale" for row in self.verdicts), "scores": len(report["scores"]), "incidents": len(report["incidents"])}
        expected = {"counts": counts, "models": [model["name"] for model in said["models"]], "judges": sorted({row["judge"] for row in self.verdicts})}
        self.findings += [("manifest", key) for key in expected if manifest[key] != expected[key]]
        files = {f["path"]: (f["size"], f["sha256"], f["role"]) for f in said["files"]}
        sources = {e["path"]: (e["size"], e["sha256"], e["role"]) for e in manifest["entries"] if e["role"] in READ}
        for path in sorted(set(files) | set(sources)):
            here, there = files.get(path), sources.get(path)
            # A list that was only tried is no file of the report; one of outputs with their replies is both.
            is_list = there is not None and there[2] in ("samples", "prompts")
            self.tell("report", f"files: {path}", here != there and not (is_list and (here is None or here[:2] == there[:2])))
        folders = tuple(f"{model['path']}/" for model in said["models"])
        for entry in manifest["entries"]:
            self.tell("extra_entry", entry["path"], entry["role"] in ("other", "answer") and not entry["path"].startswith(folders))
    def check_requests(self):
        """Each request's hash, from its own parts."""
        pictures = {e["path"]: e["sha256"] for e in self.manifest["entries"] if e["role"] == "picture"}
        for row in (row for row in self.requests if row["sha256"] is not None):
            about = f"{row['criterion']} of {row['model']}, sample {row['sample']}"
            fields = [("protocol", self.manifest["protocol"]), ("criterion", row["criterion"]), ("prompts", row["prompts"])]
            fields += [("system", row["system"])] * (row["system"] is not None)
            for part in row["parts"]:
                self.keys(part, part["type"], about)
                if part["type"] == "text":
                    fields.append(("text", part["text"]))
                elif part["sha256"] is not None:
                    fields += [("image", part["role"]), ("treatment", part["treatment"])]
                    fields += [("sha256", part[key]) for key in ("sha256", "other") if key in part]
                    self.tell("request", f"{about}: {part['path']}", pictures.get(part["path"], part["sha256"]) != part["sha256"])
                elif part["treatment"] == "blank":
                    fields += [("treatment", "blank"), ("sha256", part.get("other", ""))]
            hashed = b"".join(f"{kind} {len(text.encode())}\n{text}".encode() for kind, text in fields)
            self.tell("request", about, sha256(hashed) != row["sha256"])
    def raws(self):
        """Every raw reply by file and hash, with the records that it is in."""
        raws = {}
        for entry in (entry for entry in self.manifest["entries"] if entry["role"] in ("samples", "replies", "journal", "pasted")):
            text = self.files.get(entry["path"], b"").decode(errors="replace").removeprefix("\ufeff")
            found = raws.setdefault("pasted" if entry["role"] == "pasted" else entry["path"], {})
            found[sha256(text)] = (text, [])
            for piece in [text] if entry["path"].endswith(".json") else text.split("\n"):
                try:
                    value = json.loads(piece)
                    for span in Spans(piece).values:
                        found.setdefault(sha256(span), (span, []))
                    if isinstance(value, dict) and isinstance(value.get("reply"), str):
                        found.setdefault(sha256(value["reply"]), (value["reply"], []))[1].append(value)
                except (ValueError, IndexError):
                    continue
        return raws
    def check_verdicts(self):
        raws, keys = self.raws(), set()
        self.current = [row for row in self.verdicts if row["status"] != "stale"]
        for row in self.verdicts:
            about = f"{row['criterion']} of {row['model']}, sample {row['sample']}, turn {row['turn']}, run {row['run']}"
            keys.add((row["source"], row["criterion"], row["model"], row["sample"], row["turn"], row["judge"], row["run"]))
            path = row["source"].rsplit(":", 1)[0] if ":" in row["source"] else row["source"]
            self.covered &= path != "ratings"
            self.tell("source", f"{about}: {row['source']}", path not in raws and path != "ratings")
            if path not in raws or row["reply"] is None or row["status"] == "stale":
                continue
            raw, records = raws[path].get(row["reply"], (None, []))
            self.tell("reply", about, raw is None)
            of = [[record.get(key) for key in ("model", "sample", "turn", "criterion")] for record in records]
            self.tell("reply", f"{about}: of another request", of and [row[key] for key in ("model", "sample", "turn", "criterion")] not in of)
            if raw is None or self.manifest["protocol"] not in RULES or self.manifest["profile"] != "released":
                continue
            try:
                score, parts, row["released"] = RULES[self.manifest["protocol"]][0](raw, row)
            except (ValueError, TypeError, KeyError, AttributeError, IndexError):
                score, parts, row["released"] = None, {}, None
            is_other = not near(score, row["score"]) or any(row.get("parts", {}).get(name) != value for name, value in parts.items())
            self.tell("verdict", f"{about}: {row['score']}, {score} here", is_other)
        self.tell("verdict", "a row that is there twice", len(keys) != len(self.verdicts))
        asked, names = {(row["model"], row["sample"], row["turn"]) for row in self.requests}, ("model", "sample", "turn", "criterion", "judge", "run")
        given = {(*key[2:5], key[1], key[5].split("@pack=")[0], key[6]) for key in keys}
        for record in self.rows("journal.jsonl") if any(entry["role"] == "pasted" for entry in self.manifest["entries"]) else ():
            key = tuple(record[name] for name in names)
            is_asked = record["protocol"] == self.manifest["protocol"] and key[:3] in asked and not {*self.manifest, *record} & {"only_judge", "only_run", "anchor"}
            self.tell("reply", f"pasted, of no verdict: {key}", is_asked and key not in given)
    def check_incidents(self):
        """An incident for each row of samples that is not whole, and none where there is what it misses; how many need pictures."""
        stated, asked, rest, group = {key_of(row): row for row in self.report["samples"]}, {}, 0, task_of if self.manifest["protocol"] == "vibe" else lambda row: ""
        for row in self.current:
            asked.setdefault((row["model"], row["criterion"], group(row)), set()).add((row["judge"], row["run"]))
        given, statuses = {key_of(row) for row in self.current}, {(*key_of(row)[:5], row["status"]) for row in self.current}
        for row in self.requests:
            keys = [key_of({**row, "judge": judge, "run": run}) for judge, run in asked.get((row["model"], row["criterion"], group(row)), ())]
            self.findings += [("incident", f"{words(key)}: none, and no reply") for key in keys if not row.get("error") and key not in given and key not in stated]
        broken = sorted((key, row["status"]) for key, row in stated.items() if row["status"] != "ok" or row["score"] is None)
        self.tell("incident", "others than the rows of samples", len(stated) != len(self.report["samples"]) or broken != sorted((key_of(row), row["kind"]) for row in self.report["incidents"]))
        for row in self.report["incidents"]:
            path = re.match("Expected (.*), which is not among the files", row["detail"])
            rest += row["kind"] == "unreadable_output" or (row["kind"] == "missing_output" and not path)
            is_true = {"unreadable_output": True, "missing_output": not path or path[1] not in self.files, "missing_reply": key_of(row) not in given}
            self.tell("incident", f"{words(key_of(row))}: {row['kind']}", not is_true.get(row["kind"], (*key_of(row)[:5], row["kind"]) in statuses))
        return rest
    def check_samples(self):
        """Each sample's scores from its verdicts; how many rows are of no judge that gave any."""
        given, stated, judges = {}, {key_of(row): row for row in self.report["samples"]}, {row["judge"] for row in self.current}
        # Requests that the benchmark lacks have no judge texts.
        lacking = {tuple(row.values())[:4] for row in self.requests if row.get("error") and not row["prompts"]}
        for row in (row for row in self.current if tuple(row.values())[:4] not in lacking):
            for name, score in values_of(self.manifest["protocol"], row).items():
                given.setdefault(key_of(row, name), []).append(score)
        for key in sorted({*stated, *(key for key in given if "/" not in key[5])}):
            old, new = stated.get(key, {"score": "no row"})["score"], mean(given.get(key, []))
            self.tell("unit", f"{words(key)}: {old}, {new} here", key[1] in judges and (old == "no row" or not near(old, new)))
        return sum(key[1] not in judges for key in stated)
    def domains(self):
        lists = [e["path"] for e in self.manifest["entries"] if e["role"] == "samples" and e["path"].endswith("test.json")]
        try:  # The domains of WEAVEBench's dialogues, from its list.
            return {str(item["idx"]): item["domain"] for path in lists for item in json.loads(self.files[path])}
        except (LookupError, ValueError, TypeError):
            return {}
    def check_scores(self):
        """The means of everything and of the groups that ids and turns tell; how many rows are of other groups."""
        manifest, here, rest, domains, (_, scores, groups) = self.manifest, {}, 0, self.domains(), RULES[self.manifest["protocol"]]
        for scope, group in {"overall": lambda row: "all", **groups}.items():
            rows = {}
            for row in self.current:
                rows.setdefault((row["model"], row["judge"], scope, group({**row, "domain": domains.get(row["sample"])})), []).append(row)
            here |= {key: scores(of_group) for key, of_group in rows.items()} if all(key[3] is not None for key in rows) else {}
        known = {(key[2], criterion) for key, found in here.items() for criterion in found or ()}
        empty = {key[:2] for key, found in here.items() if found is None}  # The authors' script writes no result of such a model.
        judged = {(row["model"], row["judge"]) for row in self.current}
        for row in self.report["scores"]:
            self.tell("score", "another profile or policy", (row["profile"], row["policy"]) != (manifest["profile"], manifest["policy"]))
            of = [(row["model"], judge) for judge in ([row["judge"]] if (row["model"], row["judge"]) in judged else row["judge"].split(" + "))]
            is_known = (row["scope"], row["criterion"]) in known and judged.issuperset(of)
            self.covered &= is_known or row["scope"] != "overall" or row["criterion"] != "total" or row["mean"] is None
            rest += not is_known
            parts = [None if one in empty else here.get((*one, row["scope"], row["key"]), {}).get(row["criterion"]) for one in of]
            found = None if None in parts else mean(parts)
            is_other = is_known and not near(found, row["mean"])
            self.tell("score", "{criterion} of {model}, {scope} {key}, judge {judge!r}: {mean}, {} here".format(found, **row), is_other)
        return rest
key_of = lambda row, criterion=None: (row["model"], row["judge"], row["run"], row["sample"], row["turn"], criterion or row["criterion"])
words = lambda key: "{5} of {0}, judge {1!r}, run {2}, sample {3}, turn {4}".format(*key)
def leftover(name):
    name = re.split(r"[/\\]", name)[-1]
    return name in (".DS_Store", "Thumbs.db", "desktop.ini") or name.startswith("._")
NOTES = {0x0001, 0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0x7075, 0xcafe}  # Sizes, times, owners and names of files in a ZIP.
def fields_of(extra):
    size = 4 + int.from_bytes(extra[2:4], "little")
    return [int.from_bytes(extra[:2], "little")] + fields_of(extra[size:]) if len(extra) >= size else [None] * bool(extra)
def png_is_whole(data):
    """Whether every chunk of a PNG fits its checksum up to its end, and its pixels inflate to their number."""
    at, pixels = 8, b""
    while at + 12 <= len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + length]
        if len(body) < length or zipfile.zlib.crc32(kind + body) != int.from_bytes(data[at + 8 + length:at + 12 + length], "big"):
            return False
        pixels += body if kind == b"IDAT" else b""
        if kind == b"IEND":
            inflating = zipfile.zlib.decompressobj()
            return len(inflating.decompress(pixels)) > 0 and inflating.eof
        at += 12 + length
    return False
near = lambda a, b: a is b if a is None or b is None else math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
finite = lambda value: float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None
def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None
# How a reply reads: number and parts of its row, by the paper where the reply fits it, and the number of the released code.
def weave_reply(raw, _row):
    score = finite(json.loads(raw.replace("```json", "").replace("```", ""))["score"])
    return score, {}, score
LABELS = ["Instruction Alignment", "Reference Consistency", "Background-Subject Match", "Physical Realism", "Visual Quality"]
def banana_reply(raw, row):
    found = [re.search(re.escape(label) + r":\s*(\d+)", raw) for label in LABELS]
    if None in found:
        return None, {}, None
    scores = [float(int(match.group(1))) for match in found]
    parts = {label.lower().replace("-", "_").replace(" ", "_"): score for label, score in zip(LABELS, scores)}
    return ((3 * (scores[0] + scores[1]) + sum(scores[2:])) / 9 if row["status"] == "ok" else mean(scores)), parts, mean(scores)
HARD = {
    "object_composition": ("A3 B3 C3 D4 G2", "A1 B1"), "spatial_geometric_constraints": ("A3 B3 C4 D3 G3", "A1 C1"),
    "attribute_style_decoupling": ("A3 B3 C3 D3 G3", "A1 B1 C1 D1"), "local_element_transfer": ("A3 B3 C3 D3 G3", "A1 B2 C1"),
    "foreground_background_composition": ("A3 B3 C3 D3 G3", "B1 D1"), "story_infer": ("A3 B3 C3 D3 E3 G3", "A1 B1 E1")}
def micon_reply(raw, row):
    found = json.loads(raw)
    if row["criterion"] == "candidate":
        score = min(max(float(found.get("evaluation_result", found).get("score", 0) or 0), 0.0), 10.0)
        return score, {}, score
    checks = found.get("checkpoint_results", found.get("checkpoints"))
    checks = checks or {key: value for key, value in found.items() if re.fullmatch(r"[A-Z]_check_\d+", key)}
    values = {key: float(one["pass"] if isinstance(one, dict) else one) for key, one in checks.items()}
    dimensions, hard = HARD[row["sample"].split("/")[0]]
    parts = {letter: mean(values.get(f"{letter}_check_{n}", 0.0) for n in range(1, int(count) + 1)) for letter, count in dimensions.split()}
    for letter, place in hard.split():
        if values.get(f"{letter}_check_{place}", 0.0) == 0:
            parts[letter] = min(parts[letter], 0.4)
    score = 100 * mean(parts.values())
    return score, parts, score
def vibe_reply(raw, row):
    metric = row["criterion"]
    member = raw.strip().removeprefix(f'"{metric}"').lstrip()
    found = json.loads(member[1:] if member.startswith(":") else raw)
    stored = finite(found["score"])
    subs = {key: float(one["score"]) for key, one in found.items() if isinstance(one, dict)}
    limbs = [value for key, value in found.items() if re.fullmatch("(Left|Right)_(Arm|Leg)", key)]
    if row["status"] != "ok" or not (subs or limbs):
        score = stored
    elif limbs:
        score = limbs.count("MATCH") / max(limbs.count("MATCH") + limbs.count("MISMATCH"), 1)
    elif metric == "Billiards":
        score = subs["Context_Preservation"] * (subs["Path_Correctness"] + subs["Collision_Correctness"]) / 2
    elif metric in CHAINED:
        first, second = (subs[name] for name in CHAINED[metric])
        score = (first + (second if first == 1 else 0.0)) / 2
    else:
        score = mean(subs.values())
    return score, {f"{metric}/{key}": value for key, value in subs.items()}, stored
CHAINED = {"Light_Direction_Consistency": ("Direction_Matching_Consistency", "Physical_Lighting_Consistency"),
           "Wind_Contextual_Preservation": ("Wind-Identity_Preservation", "Wind-Other_Preservation")}
def multiref_reply(raw, row):
    if row["criterion"] != "judge":
        score = finite(json.loads(raw))
        return score, {}, score
    found = json.loads(re.search(r"\{.*\}", raw, re.S).group(0))
    parts = {key: float(found[key]) for key in ("IQ", "IF", "SF")}
    is_allowed, score = all(1 <= score <= 5 and score == int(score) for score in parts.values()), mean(parts.values())
    return (score, parts, score) if is_allowed else (None, {}, None)
# What a verdict gives its sample, by criterion.
def values_of(protocol, row):
    parts = dict(row.get("parts", {})) if row["counted"] else {}
    if protocol == "multibanana" and parts:
        parts["total"] = mean(parts.values())
    elif protocol == "vibe":
        parts |= {row["criterion"]: row["released"]} if row.get("released") is not None and parts else {}
        return {name: round(score + 1e-12, 4) for name, score in parts.items()}
    return {name: score / 100 if (protocol, name) == ("multiref", "caption") else score for name, score in parts.items()}
# The means of a group by criterion, from the verdicts of one model and judge.
def columns_of(rows):
    parts = [part for row in rows if row["counted"] for part in row.get("parts", {}).items()]
    return {name: [score for of, score in parts if of == name] for name in dict(parts)}
task_of = lambda row: row["sample"].split("/")[0]
table = lambda **groups: {name: group for group, names in groups.items() for name in names.split()}
CATEGORIES = table(Science="optics geography astronomy chemistry physics biology", Creation="edit recall fusion story",
                   Logic="spatial mathematics", Game="chess_game visual_jigsaw minecraft maze")
def weave_scores(rows):
    if any(row["score"] is None for row in rows):
        return None
    pooled, names = columns_of(rows), ("key_point", "visual_consistency", "image_quality", "accuracy")
    means = {name: round(mean(pooled[name]) / 10, 3) for name in names if name in pooled}
    weights = dict(zip(names, (0.4, 0.1, 0.2, 0.3) if "accuracy" in means else (0.5, 0.2, 0.3)))
    total = sum(weights[name] * value for name, value in means.items()) if set(weights) == set(means) else mean(means.values())
    return {**means, "total": round(total, 3)}
def banana_scores(rows):
    tasks = [columns_of(row for row in rows if task_of(row) == task) for task in sorted({task_of(row) for row in rows})]
    tasks = [{name: mean(scores) for name, scores in columns.items()} for columns in tasks if columns]
    means = {name: mean(round(task[name], 3) for task in tasks) for name in (tasks or [{}])[0]}
    return {**means, "total": mean(round(mean(task.values()), 3) for task in tasks)}
def micon_scores(rows):
    candidates = {(row["sample"], row["run"]): row["score"] for row in rows if row["criterion"] == "candidate" and row["counted"]}
    cases = [row for row in rows if row["criterion"] == "checkpoints" and row["counted"] and row["score"] is not None]
    cases = [(mean(row["parts"].values()), candidates.get((row["sample"], row["run"]))) for row in cases]
    total = mean(round(100 * plain, 2) if extra is None else round(40 * plain + 6 * extra, 2) for plain, extra in cases)
    return {**{name: mean(column) for name, column in columns_of(rows).items()}, "total": total}
LEVELS = table(Deictic="Addition Removal Replacement Translation", Morphological="Pose_Control Reorientation Draft_Instantiation",
               Causal="Light_Control Flow Flow_Simulation Billiards")
flow_of = lambda row: {"Flow": "Flow_Simulation"}.get(task_of(row), task_of(row))
def vibe_scores(rows):
    items, is_one = {}, len({task_of(row) for row in rows}) == 1
    for row in rows:
        task, score = task_of(row), row.get("released")
        if score is not None and 0 <= score <= 1 and (task in LEVELS or is_one):
            items.setdefault(task, {}).setdefault(row["run"], {}).setdefault(row["sample"], []).append(score)
    levels = {}
    for task, runs in items.items():
        wholes = [[0.0 if 0 in parts else math.exp(mean(math.log(part) for part in parts)) for parts in of_run.values()] for of_run in runs.values()]
        means = [round(100 * mean(round(whole + 1e-12, 4) for whole in of_run) + 1e-12, 2) for of_run in wholes]
        levels.setdefault(LEVELS.get(task), []).append(round(mean(means) + 1e-12, 2))
    return {"total": mean(mean(tasks) for tasks in levels.values())}
def multiref_scores(rows):
    columns, scales = columns_of(row for row in rows if row["criterion"] != "judge"), {"caption": 100, "aesthetics": 10}
    means = {name: mean(column) / scales.get(name, 1) for name, column in columns.items()}
    total = mean(1 - score if name in ("depth", "canny", "sketch") else score for name, score in means.items() if name not in ("fid", "aesthetics"))
    return {**means, "total": total}
# How its replies read, the means of its verdicts, and the groups of a verdict's sample, of each benchmark.
RULES = {
    "weave": (weave_reply, weave_scores, {"turn": lambda row: str(row["turn"]), "domain": lambda row: row["domain"],
        "category": lambda row: CATEGORIES.get(row["domain"], row["domain"] and "")}),
    "multibanana": (banana_reply, banana_scores, {"domain": task_of, "structure": lambda row: task_of(row).split("_")[-1], "category":
        lambda row: "multi-reference" if row["sample"][0].isdigit() else "single" if task_of(row) == "single" else "two-reference"}),
    "micon": (micon_reply, micon_scores, {"domain": task_of, "category": lambda row: "story" if task_of(row) == "story_infer" else "image tasks"}),
    "vibe": (vibe_reply, vibe_scores, {"task": flow_of, "level": lambda row: LEVELS.get(task_of(row), ""), "run": lambda row: f"{flow_of(row)}/{row['run']}"}),
    "multiref": (multiref_reply, multiref_scores, {"category": task_of})}
def main(path):
    try:
        pack = Pack(path)
        pack.check()
    except (OSError, LookupError, ValueError, TypeError, AttributeError, RuntimeError, EOFError, zipfile.BadZipFile, zipfile.zlib.error) as error:
        print(f"{path}: cannot be read as an evidence pack: {error}")
        return 2
    if pack.findings:
        print(*(f"  {kind}: {about}" for kind, about in pack.findings[:50]), f"{path}: {len(pack.findings)} differences", sep="\n")
        return 1
    said = [f"{len(pack.report[name]) - rest} rows of {name} and {rest} not recomputed" for name, rest in pack.rest.items()]
    print(f"{path}: {len(pack.files)} files, {len(pack.requests)} requests, {len(pack.verdicts)} verdicts, {', '.join(said)}: nothing differs in what is checked")
    small = "pictures that are not in it as they were"
    left = {small if "kept" in entry else entry["role"] for entry in pack.manifest["entries"]} & {small, "labels", "measures", "ratings", "trajectories"}
    left = ["what pictures show", *sorted(left)] + ["the signature"] * ("manifest.json.minisig" in pack.files)
    print(f"{path}: not checked: {', '.join(left)}")
    return 0 if pack.covered else 3
if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else "usage: python3 verify_pack.py PACK.zip")
