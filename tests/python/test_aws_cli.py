"""The AWS CLI's `cloudcontrol` commands, `wait` among them, with their exit codes."""

import contextlib
import io
import json
import os
import subprocess
import tempfile
import unittest
import unittest.mock
import urllib.request

from awscli.clidriver import create_clidriver

from local_cloud import LocalCloud

QUEUE = "AWS::SQS::Queue"


def setUpModule():
    """Two emulators: one whose operations are over before the next command has started, one whose operations never end."""
    global FAST, SLOW, FOLDER
    FAST, SLOW = LocalCloud("--profile", "fast"), LocalCloud("--time-scale", "1000")
    unittest.addModuleCleanup(FAST.stop)
    unittest.addModuleCleanup(SLOW.stop)
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)
    with open(os.path.join(FOLDER.name, "config"), "w") as config:
        # Identifiers that are URLs are meant as they are.
        config.write("[default]\ncli_follow_urlparam = false\n")


def environment(cloud):
    return os.environ | {
        "AWS_ENDPOINT_URL": cloud.url,
        "AWS_CONFIG_FILE": os.path.join(FOLDER.name, "config"),
        "AWS_ACCESS_KEY_ID": "111122223333",
        "AWS_SECRET_ACCESS_KEY": "any",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_PAGER": "",
        "AWS_MAX_ATTEMPTS": "1",
    }


def run(cloud, *arguments):
    """Exit code, output and error of a command; what the command `aws` would do, without starting Python each time."""
    out, err = io.StringIO(), io.StringIO()
    with (
        unittest.mock.patch.dict(os.environ, environment(cloud)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = create_clidriver().main(["cloudcontrol", "--output", "json", *arguments])
    return code, out.getvalue(), err.getvalue()


class Commands(unittest.TestCase):
    def run_well(self, *arguments, cloud=None):
        code, out, err = run(cloud or FAST, *arguments)
        self.assertEqual(code, 0, err)
        return json.loads(out) if out else None

    def run_badly(self, *arguments, cloud=None):
        code, _, err = run(cloud or FAST, *arguments)
        self.assertEqual(code, 255, err)
        return err.strip()

    def wait(self, answer):
        self.run_well("wait", "resource-request-success", "--request-token", answer["ProgressEvent"]["RequestToken"])

    def is_asked_about(self, token):
        with urllib.request.urlopen(f"{SLOW.url}/_emu/log?operation=GetResourceRequestStatus") as answer:
            return token in answer.read().decode()

    def test_a_resource_lives_and_dies(self):
        create = ("create-resource", "--type-name", QUEUE, "--desired-state")
        first = self.run_well(*create, '{"QueueName":"orders"}')
        # The work of profile fast is over within a twentieth of a second, so that `wait` mostly finds it finished.
        self.wait(first)
        # The same name again: the call is accepted, the request fails, and `wait` ends with 255.
        second = self.run_well(*create, '{"QueueName":"orders"}')["ProgressEvent"]["RequestToken"]
        refused = self.run_badly("wait", "resource-request-success", "--request-token", second)
        self.assertIn("Waiter ResourceRequestSuccess failed", refused)
        status = self.run_well("get-resource-request-status", "--request-token", second)["ProgressEvent"]
        self.assertEqual((status["OperationStatus"], status["ErrorCode"]), ("FAILED", "AlreadyExists"))
        one = ("--type-name", QUEUE, "--identifier", status["Identifier"])

        self.wait(self.run_well("update-resource", *one, "--patch-document", '[{"op":"add","path":"DelaySeconds","value":3}]'))
        read = self.run_well("get-resource", *one)["ResourceDescription"]
        self.assertEqual(json.loads(read["Properties"])["DelaySeconds"], 3)
        listed = self.run_well("list-resource-requests", "--page-size", "1", "--resource-request-status-filter", "OperationStatuses=SUCCESS")
        found = [event["Operation"] for event in listed["ResourceRequestStatusSummaries"]]
        self.assertEqual(found, ["UPDATE", "CREATE"])
        self.wait(self.run_well("delete-resource", *one))
        gone = self.run_badly("get-resource", *one)
        expected = "An error occurred (ResourceNotFoundException) when calling the GetResource operation: AWS::SQS::Queue Handler returned status FAILED: "
        self.assertIn(expected, gone)

    def test_a_running_request_is_waited_for_or_cancelled(self):
        create = ("create-resource", "--type-name", QUEUE, "--desired-state")
        waited = self.run_well(*create, '{"QueueName":"slow"}', cloud=SLOW)["ProgressEvent"]["RequestToken"]
        # It finds the request running, and five seconds later finished.
        command = ["aws", "cloudcontrol", "wait", "resource-request-success", "--request-token", waited]
        waiting = subprocess.Popen(command, env=environment(SLOW))

        token = self.run_well(*create, '{"QueueName":"never"}', cloud=SLOW)["ProgressEvent"]["RequestToken"]
        event = self.run_well("cancel-resource-request", "--request-token", token, cloud=SLOW)["ProgressEvent"]
        self.assertEqual(event["OperationStatus"], "CANCEL_IN_PROGRESS")
        while not self.is_asked_about(waited):
            pass
        advance = urllib.request.Request(f"{SLOW.url}/_emu/clock/advance", data=b'{"seconds":10000}')
        urllib.request.urlopen(advance).close()
        refused = self.run_badly("cancel-resource-request", "--request-token", token, cloud=SLOW)
        self.assertIn("(ConcurrentModificationException)", refused)
        status = self.run_well("get-resource-request-status", "--request-token", token, cloud=SLOW)["ProgressEvent"]
        self.assertEqual(status["OperationStatus"], "CANCEL_COMPLETE")
        self.assertEqual(waiting.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
