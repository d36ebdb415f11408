"""Tests of the plugin by itself, without mqhk: python3 -I -B dlq_test.py"""

import base64
import importlib.machinery
import importlib.util
import os
import random
import ssl
import subprocess
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("dlq", os.path.join(HERE, "mqhk-plugin-dlq"))
dlq = importlib.util.module_from_spec(importlib.util.spec_from_loader("dlq", loader))
loader.exec_module(dlq)

CHOSEN = {"dead_letter_depth": 1, "depth_percent": 80}


class Answers(unittest.TestCase):
    """What queue managers print, in the layouts that they print it in."""

    def test_layouts(self):
        for name, answer in {
            "runmqsc, two columns": """
5724-H72 (C) Copyright IBM Corp. 1994, 2024.
Starting MQSC for queue manager QM1.

     1 : DISPLAY QLOCAL(*) CURDEPTH MAXDEPTH
AMQ8409I: Display Queue details.
   QUEUE(ORDERS.IN)                        TYPE(QLOCAL)
   CURDEPTH(4)                             MAXDEPTH(5000)
AMQ8409I: Display Queue details.
   QUEUE(ORDERS.OUT)                       TYPE(QLOCAL)
   CURDEPTH(0)                             MAXDEPTH(10)
One MQSC command read.
No commands have a syntax error.
""",
            "one attribute a line": "AMQ8409: Display Queue details.\nQUEUE(ORDERS.IN)\nTYPE(QLOCAL)\nCURDEPTH(4)\nMAXDEPTH(5000)\n"
                                    "AMQ8409: Display Queue details.\nQUEUE(ORDERS.OUT)\nTYPE(QLOCAL)\nCURDEPTH(0)\nMAXDEPTH(10)\n",
            "all on one line": "QUEUE(ORDERS.IN) CURDEPTH(4) MAXDEPTH(5000) QUEUE(ORDERS.OUT) CURDEPTH(0) MAXDEPTH(10)",
            "texts with brackets and quotes": "QUEUE(ORDERS.IN) DESCR(Orders (EU) - don't purge) CURDEPTH(4) MAXDEPTH(5000)\n"
                                              "QUEUE(ORDERS.OUT) DESCR('it''s CURDEPTH(9) :-)') CURDEPTH(0) MAXDEPTH(10)",
        }.items():
            with self.subTest(name):
                found = [(q["QUEUE"], q["CURDEPTH"], q["MAXDEPTH"]) for q in dlq.queues(answer)]
                self.assertEqual(found, [("ORDERS.IN", "4", "5000"), ("ORDERS.OUT", "0", "10")])

    def test_blank(self):
        self.assertEqual(dict(dlq.attributes("QMNAME(QM1)   DEADQ( )"))["DEADQ"], "")

    def test_half_an_answer(self):
        with self.assertRaises(dlq.Wrong):
            dlq.queues("QUEUE(ORDERS.IN) CURDEPTH(4) MAXDEPTH(50")

    def test_any_text(self):
        chance = random.Random(7)
        for _ in range(5_000):
            answer = "".join(chance.choice("QUEUE()' A1\n") for _ in range(chance.randrange(40)))
            try:
                dlq.queues(answer)
            except dlq.Wrong:
                pass


class Decision(unittest.TestCase):
    def decide(self, dead, *listed, chosen=CHOSEN):
        queues = [{"QUEUE": n, "CURDEPTH": str(d), "MAXDEPTH": str(m)} for n, d, m in listed]
        findings, objects = dlq.decide("QM1", dead, queues, chosen)
        return [(s, c) for s, c, _ in findings], [name for _, name, *_ in objects]

    def test_thresholds(self):
        for name, dead, listed, findings, objects in [
            ("nothing", "DLQ", [("DLQ", 0, 10), ("A", 7, 10)], [], []),
            ("a letter", "DLQ", [("DLQ", 1, 10)], [(dlq.WARNING, "dead-letters")], ["DLQ"]),
            ("at the per cent", "DLQ", [("DLQ", 0, 10), ("A", 8, 10)], [(dlq.WARNING, "queue-filling")], ["A"]),
            ("full, MQRC 2053", "DLQ", [("DLQ", 0, 10), ("A", 10, 10)], [(dlq.CRITICAL, "queue-filling")], ["A"]),
            ("a full dead-letter queue", "DLQ", [("DLQ", 10, 10)],
             [(dlq.WARNING, "dead-letters"), (dlq.CRITICAL, "queue-filling")], ["DLQ"]),
            ("none defined", "", [("A", 0, 10)], [(dlq.WARNING, "dead-letter-queue-missing")], []),
            ("named and not there", "DLQ", [("A", 0, 10)], [(dlq.CRITICAL, "dead-letter-queue-missing")], []),
            ("no room at all", "DLQ", [("DLQ", 0, 10), ("A", 0, 0)], [], []),
            ("no number", "DLQ", [("DLQ", 0, 10), ("A", "", 10)], [(dlq.WARNING, "facts-unreadable")], []),
        ]:
            with self.subTest(name):
                self.assertEqual(self.decide(dead, *listed), (findings, objects))

    def test_any_order_of_queues(self):
        listed = [("DLQ", 2, 10), ("B", 9, 10), ("A", 9, 10)]
        self.assertEqual(self.decide("DLQ", *listed), self.decide("DLQ", *reversed(listed)))


class Wire(unittest.TestCase):
    def test_numbers(self):
        for number, written in [(1, b"\x08\x01"), (300, b"\x08\xac\x02"), (-1, b"\x08" + b"\xff" * 9 + b"\x01")]:
            self.assertEqual(dlq.integer(1, number), written)
            self.assertEqual(dlq.signed(dlq.one(dlq.decode(written), 1)), number)
        self.assertEqual(dlq.integer(1, 0), b"")

    def test_texts(self):
        for value in ["ORDERS.IN", "Größe", "a" * 300, "\udcff"]:
            self.assertEqual(dlq.words(dlq.decode(dlq.text(7, value)), 7), value)

    def test_half_a_message(self):
        whole = dlq.text(1, "ORDERS.IN") + dlq.integer(2, 300)
        for end in range(1, len(whole)):
            try:
                dlq.decode(whole[:end])
            except IndexError:
                continue
            self.assertEqual(end, len(dlq.text(1, "ORDERS.IN")))

    def test_settings(self):
        def request(name, value):
            return {5: [dlq.text(1, name) + dlq.block(2, value)]}

        self.assertEqual(dlq.settings({}), CHOSEN)
        self.assertEqual(dlq.settings(request("depth_percent", dlq.integer(3, 50)))["depth_percent"], 50)
        for name, value in [("depth_percent", dlq.integer(3, 101)), ("depth_percent", dlq.integer(3, -1)),
                            ("depth_percent", dlq.text(1, "50")), ("depth_percents", dlq.integer(3, 50))]:
            with self.assertRaisesRegex(dlq.Wrong, name):
                dlq.settings(request(name, value))

    def test_a_large_plan_goes_in_parts(self):
        findings = [(dlq.WARNING, "queue-filling", f"QM1: QUEUE.{i:05} holds 9 of 10 messages (90 %)") for i in range(10_000)]
        objects = [("queue", f"QUEUE.{i:05}", "QM1", {"CURDEPTH": "9", "MAXDEPTH": "10"}, "report") for i in range(10_000)]
        parts = list(dlq.Plan().parts(findings, objects))
        read, names = [], []
        for number, message in enumerate(parts):
            self.assertLessEqual(len(message), 256 << 10)
            part = dlq.decode(dlq.one(dlq.decode(message), 6))
            self.assertEqual(dlq.one(part, 15, 0), int(number == len(parts) - 1))
            texts = [""] + [t.decode() for t in part.get(1, [])]
            for row in map(dlq.decode, part.get(14, [])):
                read.append((row[1][0], texts[row[2][0]], texts[row[3][0]]))
            names += [texts[dlq.decode(row)[2][0]] for row in part.get(12, [])]
        self.assertGreater(len(parts), 3)
        self.assertEqual(read, findings)
        self.assertEqual(names, [name for _, name, *_ in objects])


class Process(unittest.TestCase):
    def test_open_plans_do_not_keep_it(self):
        """Plans that wait for an answer which never comes keep nobody from
        ending the plugin."""
        import grpc

        private, public, _ = dlq.certificate()
        over = threading.Event()
        with tempfile.TemporaryDirectory() as folder:
            environment = {dlq.COOKIE[0]: dlq.COOKIE[1], "PLUGIN_UNIX_SOCKET_DIR": folder, "PLUGIN_CLIENT_CERT": public.decode()}
            plugin = subprocess.Popen([os.path.join(HERE, "mqhk-plugin-dlq")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
            try:
                words = plugin.stdout.readline().decode().strip().split("|")
                raw = base64.b64decode(words[5] + "=" * (-len(words[5]) % 4))
                trust = grpc.ssl_channel_credentials(ssl.DER_cert_to_PEM_cert(raw).encode(), private, public)
                with grpc.secure_channel("unix:" + words[3], trust, [("grpc.ssl_target_name_override", "localhost")]) as channel:
                    plans = [open_plan(channel, over) for _ in range(200)]
                    for plan in plans:
                        while 1 not in dlq.decode(next(plan)):  # until it asks: FromPlugin.question
                            pass
                    channel.unary_unary("/plugin.GRPCController/Shutdown")(b"", timeout=5)
                    self.assertEqual(plugin.wait(timeout=5), 0)
            finally:
                over.set()
                plugin.kill()
                plugin.wait()
                plugin.stdout.close()


def open_plan(channel, over):
    """Begins a plan and leaves its questions without an answer."""
    target = dlq.block(4, dlq.text(1, "QM1"))
    start = dlq.block(1, dlq.block(1, target))

    def messages():
        yield start
        over.wait()

    return channel.stream_stream("/mqhk.plugin.v1.Plugin/Plan")(messages(), timeout=20)


if __name__ == "__main__":
    unittest.main()
