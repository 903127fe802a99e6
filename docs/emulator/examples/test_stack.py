"""A queue with boto3: a test that starts the emulator, uses it, and stops it. Needs cloudcontrol-emulator in the PATH."""

import json
import subprocess
import unittest

import boto3

QUEUE = "AWS::SQS::Queue"


class QueueTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = ["cloudcontrol-emulator", "--port", "0", "--profile", "test", "--json"]
        cls.emulator = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        # The first line says that it serves, and where.
        url = json.loads(cls.emulator.stdout.readline())["url"]
        # Any credentials are right; an access key of twelve digits names the account.
        cls.cloud = boto3.client(
            "cloudcontrol",
            endpoint_url=url,
            region_name="eu-west-1",
            aws_access_key_id="111122223333",
            aws_secret_access_key="any",
        )

    @classmethod
    def tearDownClass(cls):
        cls.cloud.close()
        cls.emulator.terminate()
        cls.emulator.wait(timeout=10)
        cls.emulator.stdout.close()

    def wait(self, answer):
        """The last event of the request that an answer tells of."""
        token = answer["ProgressEvent"]["RequestToken"]
        # Profile test ends an operation at the second look; there is nothing to wait for.
        waiter = self.cloud.get_waiter("resource_request_success")
        waiter.wait(RequestToken=token, WaiterConfig={"Delay": 0, "MaxAttempts": 10})
        return self.cloud.get_resource_request_status(RequestToken=token)["ProgressEvent"]

    def test_a_queue_lives_and_dies(self):
        desired = json.dumps({"QueueName": "orders", "DelaySeconds": 5})
        url = self.wait(self.cloud.create_resource(TypeName=QUEUE, DesiredState=desired))["Identifier"]
        read = self.cloud.get_resource(TypeName=QUEUE, Identifier=url)["ResourceDescription"]
        self.assertEqual(json.loads(read["Properties"])["Arn"], "arn:aws:sqs:eu-west-1:111122223333:orders")
        self.wait(self.cloud.delete_resource(TypeName=QUEUE, Identifier=url))
        with self.assertRaises(self.cloud.exceptions.ResourceNotFoundException):
            self.cloud.get_resource(TypeName=QUEUE, Identifier=url)


if __name__ == "__main__":
    unittest.main()
