"""boto3's Cloud Control client: every operation, the waiter, the paginators, and what exceptions tell."""

import datetime
import json
import os
import unittest

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, WaiterError

from local_cloud import LocalCloud

QUEUE = "AWS::SQS::Queue"
ACCOUNT = "111122223333"
# Profile test ends an operation at the second look; there is nothing to wait for.
AT_ONCE = {"Delay": 0, "MaxAttempts": 10}


def setUpModule():
    global CLOUD
    CLOUD = LocalCloud("--profile", "test")
    unittest.addModuleCleanup(CLOUD.stop)


class Base(unittest.TestCase):
    def client(self, region, service="cloudcontrol"):
        # Every test has a region of its own, so that tests do not meet.
        client = boto3.client(
            service,
            endpoint_url=CLOUD.url,
            region_name=region,
            aws_access_key_id=ACCOUNT,
            aws_secret_access_key="any",
            config=Config(retries={"max_attempts": 0}),
        )
        self.addCleanup(client.close)
        return client

    def wait(self, cloud, answer):
        """The last event of the request that an answer tells of, which ends well."""
        token = answer["ProgressEvent"]["RequestToken"]
        cloud.get_waiter("resource_request_success").wait(RequestToken=token, WaiterConfig=AT_ONCE)
        return cloud.get_resource_request_status(RequestToken=token)["ProgressEvent"]

    def create(self, cloud, name):
        return self.wait(cloud, cloud.create_resource(TypeName=QUEUE, DesiredState=json.dumps({"QueueName": name})))

    def read(self, cloud, identifier):
        found = cloud.get_resource(TypeName=QUEUE, Identifier=identifier)["ResourceDescription"]
        return json.loads(found["Properties"])


class Life(Base):
    def test_a_resource_lives_and_dies(self):
        cloud = self.client("eu-west-1")
        first = cloud.create_resource(TypeName=QUEUE, DesiredState='{"QueueName":"orders"}')
        self.assertEqual(first["ResponseMetadata"]["HTTPHeaders"]["content-type"], "application/x-amz-json-1.0")
        self.assertEqual(len(first["ResponseMetadata"]["RequestId"]), 36)
        event = first["ProgressEvent"]
        self.assertEqual((event["Operation"], event["OperationStatus"]), ("CREATE", "IN_PROGRESS"))
        for time in ("EventTime", "RetryAfter"):
            self.assertIsInstance(event[time], datetime.datetime)
        end = self.wait(cloud, first)
        self.assertEqual((end["OperationStatus"], end["TypeName"]), ("SUCCESS", QUEUE))
        identifier = end["Identifier"]

        patch = json.dumps([{"op": "add", "path": "/DelaySeconds", "value": 7}])
        self.wait(cloud, cloud.update_resource(TypeName=QUEUE, Identifier=identifier, PatchDocument=patch))
        read = self.read(cloud, identifier)
        self.assertEqual((read["DelaySeconds"], read["Arn"]), (7, f"arn:aws:sqs:eu-west-1:{ACCOUNT}:orders"))

        end = self.wait(cloud, cloud.delete_resource(TypeName=QUEUE, Identifier=identifier))
        self.assertNotIn("ResourceModel", end)
        with self.assertRaises(cloud.exceptions.ResourceNotFoundException):
            cloud.get_resource(TypeName=QUEUE, Identifier=identifier)
        self.assertEqual(cloud.list_resources(TypeName=QUEUE)["ResourceDescriptions"], [])

    def test_composite_identifiers_are_texts_or_objects(self):
        cloud = self.client("eu-west-2")
        desired = json.dumps({"RestApiId": "api1", "StageName": "live", "DeploymentId": "d1"})
        stage = "AWS::ApiGateway::Stage"
        end = self.wait(cloud, cloud.create_resource(TypeName=stage, DesiredState=desired))
        self.assertEqual(end["Identifier"], "api1|live")
        for identifier in ("api1|live", '{"StageName":"live","RestApiId":"api1"}'):
            found = cloud.get_resource(TypeName=stage, Identifier=identifier)["ResourceDescription"]
            self.assertEqual(found["Identifier"], "api1|live")
        with self.assertRaises(ClientError) as caught:
            cloud.get_resource(TypeName=stage, Identifier="live")
        error = caught.exception.response["Error"]
        expected = "Identifier live is not valid for identifier [/properties/RestApiId, /properties/StageName]"
        self.assertEqual((error["Code"], error["Message"]), ("ValidationException", expected))
        # Lists inside a parent name it.
        inside = cloud.list_resources(TypeName=stage, ResourceModel='{"RestApiId":"api1"}')["ResourceDescriptions"]
        self.assertEqual([found["Identifier"] for found in inside], ["api1|live"])
        elsewhere = cloud.list_resources(TypeName=stage, ResourceModel='{"RestApiId":"api2"}')["ResourceDescriptions"]
        self.assertEqual(elsewhere, [])

    def test_the_address_comes_from_the_environment(self):
        os.environ["AWS_ENDPOINT_URL"] = CLOUD.url
        self.addCleanup(os.environ.pop, "AWS_ENDPOINT_URL")
        session = boto3.Session(aws_access_key_id=ACCOUNT, aws_secret_access_key="any", region_name="eu-central-1")
        cloud, sts = session.client("cloudcontrol"), session.client("sts")
        self.addCleanup(cloud.close)
        self.addCleanup(sts.close)
        self.assertEqual(sts.get_caller_identity()["Account"], ACCOUNT)
        self.create(cloud, "found")
        # Another account sees nothing of it.
        other = boto3.Session(aws_access_key_id="444455556666", aws_secret_access_key="any", region_name="eu-central-1")
        cloud = other.client("cloudcontrol")
        self.addCleanup(cloud.close)
        self.assertEqual(cloud.list_resources(TypeName=QUEUE)["ResourceDescriptions"], [])


class Refusals(Base):
    def test_errors_have_the_classes_of_the_service_model(self):
        cloud = self.client("eu-west-3")
        identifier = self.create(cloud, "here")["Identifier"]
        ended = cloud.create_resource(TypeName=QUEUE, DesiredState='{"QueueName":"more"}', ClientToken="c1")
        again = cloud.create_resource(TypeName=QUEUE, DesiredState='{"QueueName":"more"}', ClientToken="c1")
        token = ended["ProgressEvent"]["RequestToken"]
        self.assertEqual(again["ProgressEvent"]["RequestToken"], token)
        self.wait(cloud, ended)

        busy = {"TypeName": QUEUE, "Identifier": identifier}
        running = cloud.update_resource(PatchDocument="[]", **busy)
        change = lambda path: json.dumps([{"op": "add", "path": path, "value": "x"}])
        for call, arguments, code, status in [
            (cloud.get_resource, {"TypeName": "AWS::None::Such", "Identifier": "x"}, "TypeNotFoundException", 400),
            (cloud.get_resource, {"TypeName": QUEUE, "Identifier": "x"}, "ResourceNotFoundException", 400),
            (cloud.list_resources, {"TypeName": "AWS::SQS::QueueInlinePolicy"}, "UnsupportedActionException", 400),
            (cloud.list_resources, {"TypeName": "AWS::ApiGateway::Deployment"}, "InvalidRequestException", 400),
            (cloud.create_resource, {"TypeName": QUEUE, "DesiredState": '{"QueueName":1}'}, "ValidationException", 400),
            (cloud.create_resource, {"TypeName": QUEUE, "DesiredState": "{"}, "ValidationException", 400),
            (cloud.create_resource, {"TypeName": QUEUE, "DesiredState": "{}", "ClientToken": "c1"}, "ClientTokenConflictException", 400),
            (cloud.update_resource, {**busy, "PatchDocument": change("/QueueName")}, "NotUpdatableException", 400),
            (cloud.update_resource, {**busy, "PatchDocument": change("/Arn")}, "ValidationException", 400),
            (cloud.update_resource, {**busy, "PatchDocument": "[]"}, "ConcurrentOperationException", 400),
            (cloud.get_resource_request_status, {"RequestToken": "none"}, "RequestTokenNotFoundException", 400),
            (cloud.cancel_resource_request, {"RequestToken": "none"}, "RequestTokenNotFoundException", 400),
            (cloud.cancel_resource_request, {"RequestToken": token}, "ConcurrentModificationException", 500),
        ]:
            with self.subTest(code=code, arguments=arguments):
                with self.assertRaises(ClientError) as caught:
                    call(**arguments)
                answer = caught.exception.response
                self.assertEqual(answer["Error"]["Code"], code)
                self.assertEqual(answer["ResponseMetadata"]["HTTPStatusCode"], status)
                self.assertTrue(answer["Error"]["Message"])
                # Only what the model does not list has no class of its own.
                expected = ClientError if code == "ValidationException" else getattr(cloud.exceptions, code)
                self.assertIs(type(caught.exception), expected)
        self.wait(cloud, running)

    def test_failures_are_told_by_the_waiter_and_the_event(self):
        cloud = self.client("eu-north-1")
        first = self.create(cloud, "taken")
        second = cloud.create_resource(TypeName=QUEUE, DesiredState='{"QueueName":"taken"}')["ProgressEvent"]
        with self.assertRaises(WaiterError) as caught:
            waiter = cloud.get_waiter("resource_request_success")
            waiter.wait(RequestToken=second["RequestToken"], WaiterConfig=AT_ONCE)
        event = caught.exception.last_response["ProgressEvent"]
        self.assertEqual((event["OperationStatus"], event["ErrorCode"]), ("FAILED", "AlreadyExists"))
        self.assertEqual(event["Identifier"], first["Identifier"], "it is that of the resource that has the name")
        url = first["Identifier"]
        self.assertEqual(
            event["StatusMessage"], f"Resource of type 'AWS::SQS::Queue' with identifier '{url}' already exists."
        )
        missing = cloud.delete_resource(TypeName=QUEUE, Identifier="https://none")["ProgressEvent"]
        with self.assertRaises(WaiterError) as caught:
            waiter.wait(RequestToken=missing["RequestToken"], WaiterConfig=AT_ONCE)
        self.assertEqual(caught.exception.last_response["ProgressEvent"]["ErrorCode"], "NotFound")

    def test_a_cancelled_request_is_a_failure_to_the_waiter(self):
        cloud = self.client("eu-south-1")
        token = cloud.create_resource(TypeName=QUEUE, DesiredState='{"QueueName":"never"}')["ProgressEvent"]["RequestToken"]
        event = cloud.cancel_resource_request(RequestToken=token)["ProgressEvent"]
        self.assertEqual(event["OperationStatus"], "CANCEL_IN_PROGRESS")
        with self.assertRaises(WaiterError) as caught:
            cloud.get_waiter("resource_request_success").wait(RequestToken=token, WaiterConfig=AT_ONCE)
        self.assertEqual(caught.exception.last_response["ProgressEvent"]["OperationStatus"], "CANCEL_COMPLETE")
        self.assertEqual(cloud.list_resources(TypeName=QUEUE)["ResourceDescriptions"], [])


class Pages(Base):
    def test_paginators_see_everything_once(self):
        cloud = self.client("us-east-1")
        identifiers = [self.create(cloud, f"q{number}")["Identifier"] for number in range(5)]
        paginator = cloud.get_paginator("list_resources")
        pages = list(paginator.paginate(TypeName=QUEUE, PaginationConfig={"PageSize": 2}))
        self.assertEqual([len(page["ResourceDescriptions"]) for page in pages], [2, 2, 1])
        listed = [found["Identifier"] for page in pages for found in page["ResourceDescriptions"]]
        self.assertEqual(listed, identifiers, "in order of creation")
        # A list that was left off goes on where it was.
        part = paginator.paginate(TypeName=QUEUE, PaginationConfig={"PageSize": 2, "MaxItems": 2}).build_full_result()
        rest = paginator.paginate(TypeName=QUEUE, PaginationConfig={"StartingToken": part["NextToken"]}).build_full_result()
        both = part["ResourceDescriptions"] + rest["ResourceDescriptions"]
        self.assertEqual([found["Identifier"] for found in both], identifiers)

    def test_lists_of_requests_are_filtered(self):
        cloud = self.client("us-west-2")
        identifiers = [self.create(cloud, f"q{number}")["Identifier"] for number in range(3)]
        self.wait(cloud, cloud.delete_resource(TypeName=QUEUE, Identifier=identifiers[0]))
        cloud.create_resource(TypeName=QUEUE, DesiredState='{"QueueName":"open"}')
        paginator = cloud.get_paginator("list_resource_requests")

        def seen(**filter):
            pages = paginator.paginate(ResourceRequestStatusFilter=filter, PaginationConfig={"PageSize": 2})
            events = [event for page in pages for event in page["ResourceRequestStatusSummaries"]]
            return [(event["Operation"], event["OperationStatus"]) for event in events]

        created, deleted, open_ = ("CREATE", "SUCCESS"), ("DELETE", "SUCCESS"), ("CREATE", "IN_PROGRESS")
        self.assertEqual(seen(), [open_, deleted, created, created, created], "newest first")
        self.assertEqual(seen(Operations=["DELETE"]), [deleted])
        self.assertEqual(seen(OperationStatuses=["IN_PROGRESS", "PENDING"]), [open_])
        self.assertEqual(seen(Operations=["CREATE", "UPDATE"], OperationStatuses=["SUCCESS"]), [created] * 3)
        self.assertEqual(seen(Operations=["UPDATE"]), [])


if __name__ == "__main__":
    unittest.main()
