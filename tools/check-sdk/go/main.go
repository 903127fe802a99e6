// Command check uses the Go SDK; it is built and never run.
package main

import (
	"github.com/pulumi/pulumi-aws-native/sdk/go/aws/devopsagent"
	"github.com/pulumi/pulumi-aws-native/sdk/go/aws/sqs"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Two of the three enums whose published members broke SDKs. The third is in a package that takes minutes to compile, and
// gen-sdk looks for names that are declared twice in all of them.
const (
	_ = devopsagent.ServiceMcpServerSigV4AuthorizationConfigRoleArnEmpty
	_ = devopsagent.ServiceMcpServerSigV4AuthorizationConfigRoleArn1Empty
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		queue, err := sqs.NewQueue(ctx, "jobs", &sqs.QueueArgs{VisibilityTimeout: pulumi.Int(60)})
		if err != nil {
			return err
		}
		ctx.Export("arn", queue.Arn)
		return nil
	})
}
