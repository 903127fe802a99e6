"""Uses the installed Python SDK: what goes to the engine has the names of the package schema."""

import pulumi

import pulumi_aws_native as aws


class Recorder(pulumi.runtime.Mocks):
    """Stands in for the engine and remembers what was registered."""

    def __init__(self):
        self.registered = {}

    def new_resource(self, args):
        self.registered[args.typ] = args.inputs
        return f"{args.name}-id", {**args.inputs, "arn": f"arn:aws:test:::{args.name}"}

    def call(self, args):
        return {}


recorder = Recorder()
pulumi.runtime.set_mocks(recorder, project="check", stack="sdk")


@pulumi.runtime.test
def declare():
    queue = aws.sqs.Queue("jobs", aws.sqs.QueueArgs(visibility_timeout=60, tags=[aws.TagArgs(key="team", value="data")]))
    aws.s3.Bucket(
        "files",
        versioning_configuration=aws.s3.BucketVersioningConfigurationArgs(
            status=aws.s3.BucketVersioningConfigurationStatus.ENABLED
        ),
    )
    aws.iam.Role("worker", assume_role_policy_document={"Version": "2012-10-17"}, max_session_duration=3600)
    return queue.arn.apply(lambda arn: equal(arn, "arn:aws:test:::jobs"))


def equal(actual, expected):
    if actual != expected:
        raise SystemExit(f"program.py: expected {expected!r}, got {actual!r}")


declare()
equal(
    recorder.registered,
    {
        "aws-native:sqs:Queue": {"visibilityTimeout": 60, "tags": [{"key": "team", "value": "data"}]},
        "aws-native:s3:Bucket": {"versioningConfiguration": {"status": "Enabled"}},
        "aws-native:iam:Role": {"assumeRolePolicyDocument": {"Version": "2012-10-17"}, "maxSessionDuration": 3600},
    },
)
# The three enums whose published members broke SDKs: an empty value without a name, and a name that a type had already.
equal(aws.devopsagent.ServiceMcpServerSigV4AuthorizationConfigRoleArn.EMPTY.value, "")
equal(aws.devopsagent.ServiceMcpServerSigV4AuthorizationConfigRoleArn1.EMPTY.value, "")
equal(aws.sagemaker.EndpointConfigCaptureOptionCaptureMode.OUTPUT_TYPE.value, "Output")
