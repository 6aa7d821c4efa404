#!/usr/bin/env python3
"""Checks an evidence pack of Juror's without any of Juror's code: `python3 verify_pack.py PACK.zip`.

It recomputes what needs no pictures: the hash of every entry, the hash that names the manifest, the hash of every request,
every verdict from its raw reply, and the totals over everything by the rules of the authors' released code, for the five
built-in benchmarks. It does not decode pictures, and it does not write requests again from judge texts and lists.
Exit codes: 0 nothing differs, 1 something differs, 2 this is no pack that can be read, 3 only its hashes are sound: its
verdicts and scores follow other rules than these (another profile, policy or benchmark, a panel's median, ratings).
"""
import hashlib, json, math, re, sys, zipfile

OWN = {"report.json": "report", "requests.jsonl": "requests", "verdicts.jsonl": "verdicts", "journal.jsonl": "pasted"}
READ = {"samples", "replies", "journal", "ratings", "measures", "prompts"}
ROLES = READ | {"labels", "trajectories", "answer", "picture", "other"}
TITLES = {"weave": "WEAVEBench", "multibanana": "MultiBanana", "micon": "MICON-Bench", "vibe": "VIBE", "multiref": "MultiRef-Bench"}
# The keys of everything, in their order; some may be absent, no other may be there.
KEYS = {name: keys.split() for name, keys in {
    "manifest": "format juror protocol title profile policy only_judge only_run reading prompts models judges judge_names kinds pictures counts entries sha256",
    "entry": "path role size sha256 kept thumbnail picture",
    "report": "format provenance scores samples incidents",
    "provenance": "juror protocol profile policy reading tolerance judge run judge_names prompts formulas criteria scopes files models benchmark pictures_checked judges notices problems measures",
    "scores": "model judge profile policy scope key criterion mean n expected sd ci_low ci_high worst best panel",
    "samples": "model judge run sample turn criterion score status tied",
    "incidents": "model judge run sample turn criterion kind detail",
    "requests.jsonl": "model sample turn criterion sha256 prompts system parts grammar error",
    "verdicts.jsonl": "model sample turn criterion judge run status score parts counted reply source",
    "text": "type text", "image": "type path role treatment sha256 other"}.items()}

class Unreadable(Exception):
    """It is no pack that can be read."""
def sha256(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()

def number(value):
    """A number as Juror writes it: the shortest digits that give it back."""
    if isinstance(value, int):
        return json.dumps(value)
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
def compact(value):
    """JSON as Juror writes it in one line, with keys in the order in which they were read."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{compact(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    return number(value) if isinstance(value, (int, float)) else json.dumps(value, ensure_ascii=False)
def pretty(value, indent=0):
    """JSON as Juror writes it in lines."""
    pad = "\n" + "  " * (indent + 1)
    if isinstance(value, dict) and value:
        rows = [f"{json.dumps(k, ensure_ascii=False)}: {pretty(v, indent + 1)}" for k, v in value.items()]
        return "{" + pad + ("," + pad).join(rows) + pad[:-2] + "}"
    if isinstance(value, list) and value:
        return "[" + pad + ("," + pad).join(pretty(v, indent + 1) for v in value) + pad[:-2] + "]"
    return compact(value)
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
        if self.text[at] in "{[":
            is_object, begin = self.text[at] == "{", at
            at = self.skip(at + 1)
            while self.text[at] not in "}]":
                member = at
                if is_object:
                    _, at = self.raw_decode(self.text, at)
                    at = self.skip(at, ":")
                at = self.walk(at)
                if is_object:
                    self.values.append(self.text[member:at])
                at = self.skip(at, ",")
            end = at + 1
        else:
            begin, (_, end) = at, self.raw_decode(self.text, at)
        self.values.append(self.text[begin:end])
        return end

class Pack:
    """A pack with what differs in it."""
    def __init__(self, path):
        self.findings, self.covered = [], True
        try:
            archive, raw = zipfile.ZipFile(path), open(path, "rb").read()
            infos = [info for info in archive.infolist() if not info.is_dir()]
            places = [(info.filename.replace("\\", "/"), info) for info in infos]
            places = [(name, info) for name, info in places if not leftover(name)]
            for name, info in places:
                if name.startswith("/") or ".." in name.split("/") or re.search(r"[\x00-\x1f\x7f]", name + info.orig_filename):
                    raise Unreadable(f"the name {name!r}")
            names = [name for name, _ in places]
            if len(set(names)) != len(names):
                raise Unreadable("two entries of one name")
            # The manifest is at the root, or in the folder that all is in.
            folder = "" if "manifest.json" in names else names[0].split("/")[0] + "/"
            if folder + "manifest.json" not in names or not all(name.startswith(folder) for name in names):
                raise Unreadable("there is no manifest at its root")
            self.files = {name[len(folder):]: archive.read(info) for name, info in places}
            self.check_outside(archive, raw)
            text = self.files["manifest.json"].decode()
            self.manifest = strict(text)
            if self.manifest["format"] != "juror-pack/1":
                raise Unreadable(f"the format {self.manifest['format']!r}")
        except (OSError, LookupError, ValueError, TypeError, RuntimeError, EOFError, zipfile.BadZipFile, zipfile.zlib.error) as error:
            raise Unreadable(str(error)) from error
        self.text = text
    def check_outside(self, archive, raw):
        """What a ZIP holds besides its files: comments, bytes of no file, folders with nothing in them, and other headers."""
        word = lambda at, size: int.from_bytes(raw[at:at + size], "little")
        last = len(raw) - 22 - len(archive.comment)
        if raw[last:last + 4] != b"PK\x05\x06" or word(last + 16, 4) not in (archive.start_dir, 2**32 - 1):
            raise Unreadable("its list of files is damaged")
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
        self.check_manifest()
        self.check_entries()
        try:
            self.report = strict(self.files["report.json"].decode())
            self.tell("format", "report.json", report_text(self.report) != self.files["report.json"].decode())
        except (KeyError, ValueError, TypeError) as error:
            return self.tell("report", str(error))
        self.requests, self.verdicts = self.rows("requests.jsonl"), self.rows("verdicts.jsonl")
        for check in (self.check_report, self.check_requests, self.check_verdicts, self.check_totals):
            check()
    def check_manifest(self):
        manifest = self.manifest
        self.keys(manifest, "manifest", "manifest.json")
        try:
            if sha256(manifest_text(manifest, "")) != manifest["sha256"]:
                self.tell("manifest", "its own hash")
            elif manifest_text(manifest, manifest["sha256"]) != self.text:
                self.tell("format", "manifest.json")
        except (KeyError, TypeError, ValueError) as error:
            raise Unreadable(str(error)) from error
    def check_entries(self):
        manifest, seen = self.manifest, set()
        paths = [entry["path"] for entry in manifest["entries"]]
        self.tell("manifest", "the order of entries", paths != sorted(paths) or len(set(paths)) != len(paths))
        for entry in manifest["entries"]:
            path, role, kept = entry["path"], entry["role"], entry.get("kept", "full")
            self.keys(entry, "entry", path)
            seen.add(path)
            is_picture = role == "picture"
            self.tell("extra_entry", path, is_picture and not re.search(r"\.(png|jpe?g|webp|gif|bmp)$", path.lower()))
            self.tell("role", path, (role not in ROLES and OWN.get(path) != role) or (path in OWN and role not in (OWN[path], "journal")))
            allowed = {"full": ("full",), "thumbnails": ("thumbnail", "left_out"), "none": ("left_out",)}[manifest["pictures"]]
            self.tell("kept", path, kept not in (allowed if is_picture else ("full",)) or ("picture" in entry and not is_picture))
            stated, data = {"full": entry, "thumbnail": entry.get("thumbnail")}.get(kept), self.files.get(path)
            if (data is None) != (stated is None):
                self.tell("extra_entry" if stated is None else "missing_entry", path)
            elif data is not None and (stated.get("size"), stated.get("sha256")) != (len(data), sha256(data)):
                self.tell("changed_entry", path)
            if kept == "full" and is_picture and data is not None:
                self.check_picture(entry, data)
        self.findings += [("extra_entry", path) for path in sorted(set(self.files) - seen - {"manifest.json", "manifest.json.minisig"})]
    def check_picture(self, entry, data):
        """The size in the header of a PNG, which needs no decoder; and a whole one is called corrupt by nobody."""
        picture = entry.get("picture")
        if not isinstance(picture, dict) or data[:8] != b"\x89PNG\r\n\x1a\n" or "problem" in picture:
            return
        size = {"width": int.from_bytes(data[16:20], "big"), "height": int.from_bytes(data[20:24], "big")}
        self.tell("picture", entry["path"], ("corrupt" in picture) == png_is_whole(data) or ("width" in picture and picture != size))
    def check_report(self):
        manifest, report, said = self.manifest, self.report, self.report["provenance"]
        self.keys(report, "report", "report.json")
        self.keys(said, "provenance", "report.json: provenance")
        for name in ("scores", "samples", "incidents"):
            for at, row in enumerate(report[name]):
                self.keys(row, name, f"report.json: {name}[{at}]")
        for key in ("juror", "protocol", "profile", "policy", "prompts", "judge_names", "only_judge", "only_run"):
            self.tell("manifest", key, (manifest.get(key) or None) != (said.get(key.replace("only_", "")) or None))
        self.tell("manifest", "title", manifest["protocol"] in TITLES and manifest["title"] != TITLES[manifest["protocol"]])
        self.tell("manifest", "juror", not re.fullmatch(r"\d+\.\d+\.\d+(-[\w.]+)?", manifest["juror"], re.ASCII))
        counts = {"samples": (said["benchmark"] or {}).get("samples", 0), "models": len(said["models"]), "requests": len(self.requests),
                  "verdicts": len(self.verdicts), "stale": sum(row["status"] == "stale" for row in self.verdicts), "scores": len(report["scores"]), "incidents": len(report["incidents"])}
        expected = {"counts": counts, "models": [model["name"] for model in said["models"]],
                    "judges": sorted({row["judge"] for row in self.verdicts})}
        self.findings += [("manifest", key) for key in expected if manifest[key] != expected[key]]
        files = {f["path"]: (f["size"], f["sha256"], f["role"]) for f in said["files"]}
        sources = {e["path"]: (e["size"], e["sha256"], e["role"]) for e in manifest["entries"] if e["role"] in READ}
        for path in sorted(set(files) | set(sources)):
            here, there = files.get(path), sources.get(path)
            # A list that was only tried is no file of the report; one of outputs with their replies is both.
            is_list = there is not None and there[2] in ("samples", "prompts")
            self.tell("report", f"files: {path}", here != there and not (is_list and (here is None or here[:2] == there[:2])))
        folders = [model["path"] for model in said["models"]]
        for entry in manifest["entries"]:
            is_of_model = any(entry["path"].startswith(f"{folder}/") for folder in folders)
            self.tell("extra_entry", entry["path"], entry["role"] in ("other", "answer") and not is_of_model)
    def check_requests(self):
        """Each request's hash, from its own parts."""
        pictures = {e["path"]: e["sha256"] for e in self.manifest["entries"] if e["role"] == "picture"}
        for row in self.requests:
            about = f"{row['criterion']} of {row['model']}, sample {row['sample']}"
            if row["sha256"] is None:
                continue
            fields = [("protocol", self.manifest["protocol"]), ("criterion", row["criterion"]), ("prompts", row["prompts"])]
            fields += [("system", row["system"])] * (row["system"] is not None)
            for part in row["parts"]:
                self.keys(part, part["type"], about)
                if part["type"] == "text":
                    fields.append(("text", part["text"]))
                elif part["sha256"] is not None:
                    fields += [("image", part["role"]), ("treatment", part["treatment"]), ("sha256", part["sha256"])]
                    fields += [("sha256", part[key]) for key in ("other",) if key in part]
                    self.tell("request", f"{about}: {part['path']}", pictures.get(part["path"], part["sha256"]) != part["sha256"])
                elif part["treatment"] == "blank":
                    fields += [("treatment", "blank"), ("sha256", part.get("other", ""))]
            hashed = b"".join(f"{kind} {len(text.encode())}\n{text}".encode() for kind, text in fields)
            self.tell("request", about, sha256(hashed) != row["sha256"])
    def raws(self):
        """Every raw reply by file and hash, with the records that it is in."""
        raws = {}
        for entry in self.manifest["entries"]:
            if entry["role"] not in ("samples", "replies", "journal", "pasted"):
                continue
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
        for row in self.verdicts:
            about = f"{row['criterion']} of {row['model']}, sample {row['sample']}, turn {row['turn']}, run {row['run']}"
            keys.add((row["source"], row["criterion"], row["model"], row["sample"], row["turn"], row["judge"], row["run"]))
            path = row["source"].rsplit(":", 1)[0] if ":" in row["source"] else row["source"]
            if path == "ratings":
                self.covered = False
            elif path not in raws:
                self.tell("source", f"{about}: {row['source']}")
            if path not in raws or row["reply"] is None or row["status"] == "stale":
                continue
            if row["reply"] not in raws[path]:
                self.tell("reply", about)
                continue
            raw, records = raws[path][row["reply"]]
            of = [[record.get(key) for key in ("model", "sample", "turn", "criterion")] for record in records]
            if of and [row[key] for key in ("model", "sample", "turn", "criterion")] not in of:
                self.tell("reply", f"{about}: of another request")
            reader = READERS.get(self.manifest["protocol"])
            if reader is None or self.manifest["profile"] != "released":
                continue
            try:
                score, parts, row["released"] = reader(raw, row)
            except (ValueError, TypeError, KeyError, AttributeError, IndexError):
                score, parts, row["released"] = None, {}, None
            if not near(score, row["score"]) or any(row.get("parts", {}).get(name) != value for name, value in parts.items()):
                self.tell("verdict", f"{about}: {row['score']}, {score} here")
        self.tell("verdict", "a row that is there twice", len(keys) != len(self.verdicts))
    def check_totals(self):
        manifest = self.manifest
        total = TOTALS.get(manifest["protocol"])
        if total is None or not self.covered or manifest.get("kinds") or (manifest["profile"], manifest["policy"]) != ("released", "upstream"):
            self.covered = False
            return
        counted = {}
        for row in self.verdicts:
            if row["status"] != "stale":
                counted.setdefault((row["model"], row["judge"]), []).append(row)
        here = {key: total(rows) for key, rows in counted.items()}
        for row in self.report["scores"]:
            self.tell("score", "another profile or policy", (row["profile"], row["policy"]) != (manifest["profile"], manifest["policy"]))
            if row["scope"] != "overall" or row["criterion"] != "total":
                continue
            key = (row["model"], row["judge"])
            parts = [here.get((row["model"], judge)) for judge in row["judge"].split(" + ")]
            self.covered &= row["mean"] is None or key in here or (len(parts) > 1 and None not in parts)
            found = here[key] if key in here else mean(parts) if len(parts) > 1 and None not in parts else row["mean"]
            self.tell("score", f"total of {row['model']}, judge {row['judge']!r}: {row['mean']}, {found} here", not near(found, row["mean"]))

def leftover(name):
    name = name.split("/")[-1]
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
def near(a, b):
    return a is b if a is None or b is None else math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
def finite(value):
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None
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
    weighted = (3 * (scores[0] + scores[1]) + sum(scores[2:])) / 9
    parts = {label.lower().replace("-", "_").replace(" ", "_"): score for label, score in zip(LABELS, scores)}
    return (weighted if row["status"] == "ok" else mean(scores)), parts, mean(scores)
HARD = {
    "object_composition": ("A3 B3 C3 D4 G2", "A1 B1"), "spatial_geometric_constraints": ("A3 B3 C4 D3 G3", "A1 C1"),
    "attribute_style_decoupling": ("A3 B3 C3 D3 G3", "A1 B1 C1 D1"), "local_element_transfer": ("A3 B3 C3 D3 G3", "A1 B2 C1"),
    "foreground_background_composition": ("A3 B3 C3 D3 G3", "B1 D1"), "story_infer": ("A3 B3 C3 D3 E3 G3", "A1 B1 E1"),
}
def micon_reply(raw, row):
    found = json.loads(raw)
    if row["criterion"] == "candidate":
        score = min(max(float(found.get("evaluation_result", found).get("score", 0) or 0), 0.0), 10.0)
        return score, {}, score
    checks = found.get("checkpoint_results", found.get("checkpoints"))
    if not checks:
        checks = {key: value for key, value in found.items() if re.fullmatch(r"[A-Z]_check_\d+", key)}
    values = {key: float(one["pass"] if isinstance(one, dict) else one) for key, one in checks.items()}
    dimensions, hard = HARD[row["sample"].split("/")[0]]
    parts = {}
    for letter, count in dimensions.split():
        parts[letter] = sum(values.get(f"{letter}_check_{n}", 0.0) for n in range(1, int(count) + 1)) / int(count)
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
    is_allowed = all(1 <= score <= 5 and score == int(score) for score in parts.values())
    return (mean(parts.values()), parts, mean(parts.values())) if is_allowed else (None, {}, None)
READERS = {"weave": weave_reply, "multibanana": banana_reply, "micon": micon_reply, "vibe": vibe_reply, "multiref": multiref_reply}

# The totals over everything, from the verdicts of one model and judge.
def weave_total(rows):
    pooled = {}
    for row in rows:
        if row["score"] is None:
            return None  # The authors' script writes no result where a score is no number.
        pooled.setdefault(row["criterion"], []).append(row["score"])
    means = {name: round(mean(scores) / 10, 3) for name, scores in pooled.items()}
    weights = dict(zip(("key_point", "visual_consistency", "image_quality", "accuracy"),
                       (0.4, 0.1, 0.2, 0.3) if "accuracy" in means else (0.5, 0.2, 0.3)))
    if set(weights) == set(means):
        return round(sum(weights[name] * value for name, value in means.items()), 3)
    return round(mean(means.values()), 3)
def banana_total(rows):
    tasks = {}
    for row in rows:
        if row["counted"] and row.get("parts"):
            tasks.setdefault(row["sample"].split("/")[0], []).append(row["parts"])
    return mean(round(mean(mean(p[name] for p in parts) for name in parts[0]), 3) for parts in tasks.values())
def micon_total(rows):
    candidates = {(row["sample"], row["run"]): row["score"] for row in rows if row["criterion"] == "candidate" and row["counted"]}
    scores = []
    for row in rows:
        if row["criterion"] == "checkpoints" and row["counted"] and row["score"] is not None:
            extra = candidates.get((row["sample"], row["run"]))
            plain = mean(row["parts"].values())
            scores.append(round(100 * plain, 2) if extra is None else round(40 * plain + 6 * extra, 2))
    return mean(scores)
LEVELS = {"Addition": 1, "Removal": 1, "Replacement": 1, "Translation": 1, "Pose_Control": 2, "Reorientation": 2,
          "Draft_Instantiation": 2, "Light_Control": 3, "Flow": 3, "Flow_Simulation": 3, "Billiards": 3}
def vibe_total(rows):
    items = {}
    for row in rows:
        task = row["sample"].split("/")[0]
        score = row.get("released")
        if score is not None and 0 <= score <= 1 and task in LEVELS:
            items.setdefault(task, {}).setdefault(row["run"], {}).setdefault(row["sample"], []).append(score)
    levels = {}
    for task, runs in items.items():
        means = []
        for of_run in runs.values():
            wholes = [0.0 if 0 in parts else math.exp(mean(math.log(part) for part in parts)) for parts in of_run.values()]
            means.append(round(100 * mean(round(whole + 1e-12, 4) for whole in wholes) + 1e-12, 2))
        levels.setdefault(LEVELS[task], []).append(round(mean(means) + 1e-12, 2))
    return mean(mean(tasks) for tasks in levels.values())
def multiref_total(rows):
    columns = {}
    for row in rows:
        if row["criterion"] not in ("judge", "fid", "aesthetics") and row["score"] is not None:
            columns.setdefault(row["criterion"], []).append(row["score"])
    turned = {"depth": lambda x: 1 - x, "canny": lambda x: 1 - x, "sketch": lambda x: 1 - x, "caption": lambda x: x / 100}
    return mean(turned.get(name, float)(mean(scores)) for name, scores in columns.items())
TOTALS = {"weave": weave_total, "multibanana": banana_total, "micon": micon_total, "vibe": vibe_total, "multiref": multiref_total}
def main(path):
    try:
        pack = Pack(path)
        pack.check()
    except (Unreadable, KeyError, TypeError, AttributeError) as error:
        print(f"{path}: cannot be read as an evidence pack: {error}")
        return 2
    for kind, about in pack.findings[:50]:
        print(f"  {kind}: {about}")
    if pack.findings:
        print(f"{path}: {len(pack.findings)} differences")
        return 1
    totals = "the overall totals" if pack.covered else "no totals, which follow other rules than the released ones"
    print(f"{path}: {len(pack.files)} files, {len(pack.requests)} requests, {len(pack.verdicts)} verdicts, {totals}: nothing differs in what is checked")
    return 0 if pack.covered else 3

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 verify_pack.py PACK.zip")
    sys.exit(main(sys.argv[1]))
