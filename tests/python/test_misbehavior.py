"""What boto3 makes of a service that misbehaves: hooks that refuse, resources that are not found yet, creates that fail and
leave something behind, answers that are lost."""

import json
import unittest
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, WaiterError

from local_cloud import LocalCloud

QUEUE = "AWS::SQS::Queue"
AT_ONCE = {"Delay": 0, "MaxAttempts": 10}


def setUpModule():
    global CLOUD
    CLOUD = LocalCloud("--profile", "test")
    unittest.addModuleCleanup(CLOUD.stop)


class Misbehavior(unittest.TestCase):
    def client(self, region, attempts=1):
        """A client of a region of its own, to which the rules of the test are confined."""
        self.region = region
        client = boto3.client(
            "cloudcontrol",
            endpoint_url=CLOUD.url,
            region_name=region,
            aws_access_key_id="111122223333",
            aws_secret_access_key="any",
            config=Config(retries={"total_max_attempts": attempts, "mode": "standard"}),
        )
        self.addCleanup(client.close)
        return client

    def rule(self, when, then):
        body = json.dumps({"when": when | {"region": self.region}, "then": then}).encode()
        request = urllib.request.Request(f"{CLOUD.url}/_emu/rules", data=body)
        urllib.request.urlopen(request).close()

    def begin(self, cloud, name):
        desired = json.dumps({"QueueName": name})
        return cloud.create_resource(TypeName=QUEUE, DesiredState=desired)["ProgressEvent"]["RequestToken"]

    def end(self, cloud, token):
        cloud.get_waiter("resource_request_success").wait(RequestToken=token, WaiterConfig=AT_ONCE)
        return cloud.get_resource_request_status(RequestToken=token)["ProgressEvent"]

    def fail(self, cloud, token):
        """The answer about a request that fails, as the waiter leaves it."""
        with self.assertRaises(WaiterError) as caught:
            self.end(cloud, token)
        return caught.exception.last_response

    def test_the_reason_of_a_hook_is_told_beside_the_event(self):
        cloud = self.client("eu-west-1")
        self.rule({"operation": "create"}, {"hook": {"type-name": "Own::Guard::Names", "message": "no such names"}})
        answer = self.fail(cloud, self.begin(cloud, "orders"))
        self.assertEqual(answer["ProgressEvent"]["OperationStatus"], "FAILED")
        self.assertNotIn("no such names", answer["ProgressEvent"].get("StatusMessage", ""))
        hook = answer["HooksProgressEvent"][0]
        self.assertEqual((hook["HookTypeName"], hook["HookStatus"]), ("Own::Guard::Names", "HOOK_COMPLETE_FAILED"))
        self.assertEqual((hook["HookStatusMessage"], hook["FailureMode"]), ("no such names", "FAIL"))

    def test_a_new_resource_is_not_found_at_first(self):
        cloud = self.client("eu-west-2")
        self.rule({"operation": "create"}, {"not-found-after-create": {"for": "0s", "reads": 2}})
        one = {"TypeName": QUEUE, "Identifier": self.end(cloud, self.begin(cloud, "orders"))["Identifier"]}
        for _ in range(2):
            with self.assertRaises(cloud.exceptions.ResourceNotFoundException):
                cloud.get_resource(**one)
        self.assertEqual(cloud.get_resource(**one)["ResourceDescription"]["Identifier"], one["Identifier"])

    def test_a_failed_create_leaves_what_its_event_names(self):
        cloud = self.client("eu-west-3")
        self.rule({"operation": "create", "times": 1}, {"fail": {"code": "NotStabilized", "left": "everything"}})
        event = self.fail(cloud, self.begin(cloud, "orders"))["ProgressEvent"]
        self.assertEqual(event["ErrorCode"], "NotStabilized")
        one = {"TypeName": QUEUE, "Identifier": event["Identifier"]}
        self.assertEqual(cloud.get_resource(**one)["ResourceDescription"]["Identifier"], event["Identifier"])
        # The name is taken, so that the same create fails until the remnant is gone.
        again = self.fail(cloud, self.begin(cloud, "orders"))["ProgressEvent"]
        self.assertEqual((again["ErrorCode"], again["Identifier"]), ("AlreadyExists", event["Identifier"]))
        self.end(cloud, cloud.delete_resource(**one)["ProgressEvent"]["RequestToken"])
        self.end(cloud, self.begin(cloud, "orders"))

    def test_throttled_calls_are_repeated_by_the_client(self):
        cloud = self.client("eu-north-1", attempts=3)
        self.rule({"operation": "ListResources", "times": 1}, {"throttle": {}})
        self.assertEqual(cloud.list_resources(TypeName=QUEUE)["ResponseMetadata"]["RetryAttempts"], 1)
        impatient = self.client("eu-north-1")
        self.rule({"operation": "ListResources", "times": 1}, {"throttle": {}})
        with self.assertRaises(impatient.exceptions.ThrottlingException):
            impatient.list_resources(TypeName=QUEUE)

    def test_a_lost_answer_makes_no_second_resource(self):
        cloud = self.client("eu-south-1", attempts=3)
        self.rule({"operation": "create", "times": 1}, {"reset": {"when": "after"}})
        # The client repeats the call with the client token that it made for it.
        self.end(cloud, self.begin(cloud, "orders"))
        self.assertEqual(len(cloud.list_resources(TypeName=QUEUE)["ResourceDescriptions"]), 1)
        seen = cloud.list_resource_requests()["ResourceRequestStatusSummaries"]
        self.assertEqual([event["OperationStatus"] for event in seen], ["SUCCESS"])

    def test_a_poll_that_fails_ends_nothing(self):
        cloud = self.client("eu-central-1")
        self.rule({"operation": "poll", "times": 1}, {"poll-error": {"code": "InternalFailure", "status": 500}})
        token = self.begin(cloud, "orders")
        with self.assertRaises(ClientError) as caught:
            cloud.get_resource_request_status(RequestToken=token)
        self.assertEqual(caught.exception.response["ResponseMetadata"]["HTTPStatusCode"], 500)
        self.assertEqual(self.end(cloud, token)["OperationStatus"], "SUCCESS")


if __name__ == "__main__":
    unittest.main()
