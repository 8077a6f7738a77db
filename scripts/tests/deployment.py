#!/usr/bin/env python3
"""Holds the files by which daed is run in a container against each other, against the unit of systemd and against the program:
$DAED_BINARY, else the one that was built for tests; and the dashboard against Grafana's own models, where grafana-foundation-sdk
of the Python package index is installed. Needs PyYAML; no container is made."""

import json
import os
import re
import subprocess
import unittest
from pathlib import Path

try:
    import yaml
except ImportError:
    yaml = None
try:
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.models.dashboard import Dashboard
except ImportError:
    Dashboard = None

ROOT = Path(__file__).resolve().parents[2]
DAED = Path(os.environ.get("DAED_BINARY") or ROOT / ".build/debug/daed")
# Those of the Compose specification that are used here; whoever needs another adds it.
SERVICE_KEYS = {"build", "image", "read_only", "tmpfs", "cap_drop", "security_opt", "env_file", "ports", "volumes",
                "stop_grace_period", "restart"}


def instructions(text):
    """Pairs of a word and its arguments; a line that ends with a backslash goes on, one that begins with # is none."""
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


IMAGE = instructions((ROOT / "Containerfile").read_text())
UNIT = dict(re.findall(r"^(\w+)=(.*)$", (ROOT / "scripts/service/daed.service").read_text(), re.MULTILINE))


def of(word):
    return [arguments for name, arguments in IMAGE if name == word]


def daed(*arguments):
    return subprocess.run([DAED, *arguments], capture_output=True, text=True, env={"HOME": "/nonexistent"})


class Containerfile(unittest.TestCase):
    def test_known_instructions_begin_with_an_image(self):
        known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
        self.assertEqual({name for name, _ in IMAGE} - known, set())
        self.assertEqual(IMAGE[0][0], "FROM")
        for image in of("FROM"):
            self.assertRegex(image, r"^docker\.io/library/[a-z]+:[a-z0-9.-]*bookworm[a-z-]*( AS \w+)?$")

    def test_what_is_copied_is_there(self):
        for line in of("COPY"):
            words = line.split()
            if not words[0].startswith("--from="):
                for path in words[:-1]:
                    self.assertTrue((ROOT / path).exists(), path)

    def test_what_is_copied_from_the_build_is_made_there(self):
        made = [line.split()[1:] for line in of("COPY") if line.startswith("--from=build ")]
        self.assertEqual([target for _, target in made], ["/usr/local/bin/daed", "/usr/local/share/daed/viewer"])
        library = (ROOT / "scripts/lib.sh").read_text()
        folder = re.search(r"dae_folder=(\S+)", library)[1]
        binary = re.search(r"daed_binary=(\S+)", library)[1].replace("$dae_folder", folder)
        self.assertEqual(made[0][0].removeprefix("/src/"), binary)
        self.assertIn(made[1][0].removeprefix("/src/"), (ROOT / "scripts/tools/fetch-viewer").read_text())

    def test_the_user_is_not_root_and_owns_the_data(self):
        number = of("USER")[0].split(":")[0]
        self.assertGreaterEqual(int(number), 1000)
        run = " ".join(of("RUN"))
        user = re.search(r"useradd --uid (\d+) .*--home-dir (\S+) --shell \S+ (\w+) ", run)
        self.assertEqual(user.groups(), (number, of("VOLUME")[0], UNIT["User"]))
        self.assertIn(f"install -d -o {UNIT['User']} -g {UNIT['User']} -m 700 {of('VOLUME')[0]}", run)
        # As systemd makes it.
        self.assertEqual((UNIT["StateDirectoryMode"], "/var/lib/" + UNIT["StateDirectory"]), ("0700", of("VOLUME")[0]))

    def test_it_has_the_libraries_that_are_loaded_when_needed(self):
        names = (ROOT / "scripts/bootstrap").read_text()
        images = re.search(r"^    images\)\n(.*?);;", names, re.MULTILINE | re.DOTALL)[1]
        wanted = set(re.findall(r"\|\| echo (\S+)", images))
        self.assertEqual(len(wanted), 4)
        self.assertEqual(wanted - set(" ".join(of("RUN")).split()), set())

    def test_the_purposes_of_bootstrap_are_known(self):
        known = set(re.findall(r"^    ([a-z-]+)\)$", (ROOT / "scripts/bootstrap").read_text(), re.MULTILINE))
        purposes = next(line for line in of("RUN") if line.startswith("scripts/bootstrap ")).split()[1:]
        self.assertEqual(set(purposes) - known, set())

    @unittest.skipUnless(DAED.exists(), "daed is not built")
    def test_the_port_and_the_commands_are_daeds(self):
        settings = json.loads(daed("config", "--format", "json").stdout)["settings"]
        port = next(one["value"] for one in settings if one["key"] == "port")
        self.assertEqual(of("EXPOSE"), [str(port)])
        for command in (of("CMD")[0], of("HEALTHCHECK")[0].split("CMD ")[1]):
            words = [word for word in json.loads(command) if word != "daed"]
            shown = daed("help", words[0])
            self.assertEqual(shown.returncode, 0, shown.stderr)
            for flag in words[1:]:
                self.assertIn(flag, shown.stdout)


@unittest.skipUnless(yaml, "PyYAML is not installed")
class Compose(unittest.TestCase):
    def setUp(self):
        self.file = yaml.safe_load((ROOT / "compose.yaml").read_text())
        self.service = self.file["services"]["daed"]

    def test_keys_are_known(self):
        self.assertEqual(set(self.file), {"services", "volumes"})
        self.assertEqual(set(self.service) - SERVICE_KEYS, set())

    def test_it_builds_the_containerfile(self):
        build = self.service["build"]
        self.assertTrue((ROOT / build["context"] / build["dockerfile"]).is_file())

    def test_the_port_is_the_images_on_this_machine_alone(self):
        address, outside, inside = self.service["ports"][0].split(":")
        self.assertEqual((address, len(self.service["ports"])), ("127.0.0.1", 1))
        self.assertEqual([inside], of("EXPOSE"))
        self.assertTrue(1024 <= int(outside) <= 65535)

    def test_what_is_kept_lies_in_a_volume(self):
        name, path = self.service["volumes"][0].split(":")
        self.assertIn(name, self.file["volumes"])
        self.assertEqual([path], of("VOLUME"))
        environment = dict(pair.split("=") for line in of("ENV") for pair in line.split())
        self.assertEqual(environment["DAED_DATA"], path)

    def test_it_is_shut_in_as_by_the_unit(self):
        self.assertEqual((UNIT["ProtectSystem"], self.service["read_only"]), ("strict", True))
        self.assertEqual((UNIT["CapabilityBoundingSet"], self.service["cap_drop"]), ("", ["ALL"]))
        self.assertEqual((UNIT["NoNewPrivileges"], self.service["security_opt"]), ("yes", ["no-new-privileges:true"]))
        self.assertEqual((UNIT["PrivateTmp"], self.service["tmpfs"][0].split(":")[0]), ("yes", "/tmp"))

    @unittest.skipUnless(DAED.exists(), "daed is not built")
    def test_the_commands_of_its_comments_are_daeds(self):
        for name in ("compose.yaml", "Containerfile"):
            commands = re.findall(r"daed (token add) NAME (--\w+) (\w+)", (ROOT / name).read_text())
            self.assertEqual(len(commands), 1, name)
            for command, flag, value in commands:
                shown = daed("help", *command.split())
                self.assertEqual(shown.returncode, 0, shown.stderr)
                self.assertIn(flag, shown.stdout)
                self.assertIn(value, shown.stdout)


@unittest.skipUnless(Dashboard, "grafana-foundation-sdk is not installed")
class GrafanaDashboard(unittest.TestCase):
    # Grafana writes and reads these; its schemas do not name them.
    KNOWN = {"definition", "titleFormat"}

    def expect_kept(self, given, kept, place):
        """A member that the models do not know is lost on the way through them."""
        if isinstance(given, dict):
            self.assertEqual(set(given) - set(kept) - self.KNOWN, set(), place)
            for name in set(given) & set(kept):
                self.expect_kept(given[name], kept[name], f"{place}.{name}")
        elif isinstance(given, list):
            self.assertEqual(len(given), len(kept), place)
            for at, (one, other) in enumerate(zip(given, kept)):
                self.expect_kept(one, other, f"{place}[{at}]")
        else:
            self.assertEqual(given, kept, place)

    def test_all_of_it_is_known(self):
        given = json.loads((ROOT / "scripts/service/grafana-dashboard.json").read_text())
        self.expect_kept(given, json.loads(JSONEncoder().encode(Dashboard.from_json(given))), "$")


if __name__ == "__main__":
    unittest.main()
