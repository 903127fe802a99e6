"""A queue through the local Cloud Control with boto3: create, wait, page, cancel. Needs EMULATOR_URL."""

import json
import os
import unittest

import boto3
from botocore.exceptions import ClientError

QUEUE = "AWS::SQS::Queue"


def client(region="eu-west-1"):
    return boto3.client(
        "cloudcontrol",
        endpoint_url=os.environ["EMULATOR_URL"],
        region_name=region,
        aws_access_key_id="111122223333",
        aws_secret_access_key="any",
    )


def create(cloud, name):
    event = cloud.create_resource(TypeName=QUEUE, DesiredState=json.dumps({"QueueName": name}))["ProgressEvent"]
    waiter = cloud.get_waiter("resource_request_success")
    waiter.wait(RequestToken=event["RequestToken"], WaiterConfig={"Delay": 0, "MaxAttempts": 10})
    return cloud.get_resource_request_status(RequestToken=event["RequestToken"])["ProgressEvent"]["Identifier"]


class Queues(unittest.TestCase):
    def test_a_queue_lives_and_dies(self):
        cloud = client()
        identifier = create(cloud, "orders")
        read = json.loads(cloud.get_resource(TypeName=QUEUE, Identifier=identifier)["ResourceDescription"]["Properties"])
        self.assertEqual(read["Arn"], "arn:aws:sqs:eu-west-1:111122223333:orders")
        event = cloud.delete_resource(TypeName=QUEUE, Identifier=identifier)["ProgressEvent"]
        waiter = cloud.get_waiter("resource_request_success")
        waiter.wait(RequestToken=event["RequestToken"], WaiterConfig={"Delay": 0, "MaxAttempts": 10})
        with self.assertRaises(ClientError) as caught:
            cloud.get_resource(TypeName=QUEUE, Identifier=identifier)
        self.assertEqual(caught.exception.response["Error"]["Code"], "ResourceNotFoundException")

    def test_lists_come_in_pages(self):
        cloud = client("eu-west-2")
        for number in range(5):
            create(cloud, f"q{number}")
        pages = list(cloud.get_paginator("list_resources").paginate(TypeName=QUEUE, PaginationConfig={"PageSize": 2}))
        self.assertEqual([len(page["ResourceDescriptions"]) for page in pages], [2, 2, 1])
        pages = list(cloud.get_paginator("list_resource_requests").paginate(PaginationConfig={"PageSize": 2}))
        self.assertEqual([len(page["ResourceRequestStatusSummaries"]) for page in pages], [2, 2, 1])

    def test_a_request_can_be_cancelled(self):
        cloud = client("eu-west-3")
        event = cloud.create_resource(TypeName=QUEUE, DesiredState='{"QueueName":"never"}')["ProgressEvent"]
        event = cloud.cancel_resource_request(RequestToken=event["RequestToken"])["ProgressEvent"]
        self.assertEqual(event["OperationStatus"], "CANCEL_IN_PROGRESS")


if __name__ == "__main__":
    unittest.main()
