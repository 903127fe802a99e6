// Runs the AWS SDK for Go against a local Cloud Control: every operation, the waiter, the paginators, errors by class.
// The argument is its address.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudcontrol"
	"github.com/aws/aws-sdk-go-v2/service/cloudcontrol/types"
)

var queue = aws.String("AWS::SQS::Queue")

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: check-clients URL")
		os.Exit(2)
	}
	cloud := cloudcontrol.New(cloudcontrol.Options{
		BaseEndpoint: aws.String(os.Args[1]),
		Region:       "eu-west-1",
		Credentials:  credentials.NewStaticCredentialsProvider("111122223333", "any", ""),
		Retryer:      aws.NopRetryer{},
	})
	if err := check(context.Background(), cloud); err != nil {
		fmt.Fprintln(os.Stderr, "check-clients:", err)
		os.Exit(1)
	}
	fmt.Println("the AWS SDK for Go works")
}

func check(ctx context.Context, cloud *cloudcontrol.Client) error {
	first, err := create(ctx, cloud, "orders")
	if err != nil {
		return err
	}
	if err := wait(ctx, cloud, first); err != nil {
		return fmt.Errorf("waiting for a create: %w", err)
	}
	// The same name again: the waiter ends with the failure, the event says why and whose name it is.
	second, err := create(ctx, cloud, "orders")
	if err != nil {
		return err
	}
	if err := wait(ctx, cloud, second); err == nil {
		return errors.New("the waiter did not tell of a failed request")
	}
	status, err := cloud.GetResourceRequestStatus(ctx, &cloudcontrol.GetResourceRequestStatusInput{RequestToken: second.RequestToken})
	if err != nil {
		return err
	}
	event := status.ProgressEvent
	if event.OperationStatus != types.OperationStatusFailed || event.ErrorCode != types.HandlerErrorCodeAlreadyExists || event.Identifier == nil {
		return fmt.Errorf("the second create ended as %s %s", event.OperationStatus, event.ErrorCode)
	}
	if err := pages(ctx, cloud); err != nil {
		return err
	}
	if err := refusals(ctx, cloud, event.Identifier); err != nil {
		return err
	}
	gone, err := cloud.DeleteResource(ctx, &cloudcontrol.DeleteResourceInput{TypeName: queue, Identifier: event.Identifier})
	if err != nil {
		return err
	}
	if err := wait(ctx, cloud, gone.ProgressEvent); err != nil {
		return fmt.Errorf("waiting for a delete: %w", err)
	}
	_, err = cloud.GetResource(ctx, &cloudcontrol.GetResourceInput{TypeName: queue, Identifier: event.Identifier})
	return expect[*types.ResourceNotFoundException](err)
}

func create(ctx context.Context, cloud *cloudcontrol.Client, name string) (*types.ProgressEvent, error) {
	desired := fmt.Sprintf(`{"QueueName":%q}`, name)
	answer, err := cloud.CreateResource(ctx, &cloudcontrol.CreateResourceInput{TypeName: queue, DesiredState: &desired})
	if err != nil {
		return nil, err
	}
	return answer.ProgressEvent, nil
}

// wait looks at a request with the SDK's own waiter, which wants some pause between two looks.
func wait(ctx context.Context, cloud *cloudcontrol.Client, event *types.ProgressEvent) error {
	waiter := cloudcontrol.NewResourceRequestSuccessWaiter(cloud, func(options *cloudcontrol.ResourceRequestSuccessWaiterOptions) {
		options.MinDelay, options.MaxDelay = time.Millisecond, 10*time.Millisecond
	})
	return waiter.Wait(ctx, &cloudcontrol.GetResourceRequestStatusInput{RequestToken: event.RequestToken}, time.Minute)
}

func pages(ctx context.Context, cloud *cloudcontrol.Client) error {
	for _, name := range []string{"a", "b"} {
		event, err := create(ctx, cloud, name)
		if err != nil {
			return err
		}
		if err := wait(ctx, cloud, event); err != nil {
			return err
		}
	}
	var sizes []int
	resources := cloudcontrol.NewListResourcesPaginator(cloud, &cloudcontrol.ListResourcesInput{TypeName: queue, MaxResults: aws.Int32(2)})
	for resources.HasMorePages() {
		page, err := resources.NextPage(ctx)
		if err != nil {
			return err
		}
		sizes = append(sizes, len(page.ResourceDescriptions))
	}
	if !slices.Equal(sizes, []int{2, 1}) {
		return fmt.Errorf("pages of resources: %v", sizes)
	}
	sizes = nil
	filter := types.ResourceRequestStatusFilter{OperationStatuses: []types.OperationStatus{types.OperationStatusSuccess}}
	requests := cloudcontrol.NewListResourceRequestsPaginator(cloud, &cloudcontrol.ListResourceRequestsInput{
		MaxResults: aws.Int32(2), ResourceRequestStatusFilter: &filter,
	})
	for requests.HasMorePages() {
		page, err := requests.NextPage(ctx)
		if err != nil {
			return err
		}
		sizes = append(sizes, len(page.ResourceRequestStatusSummaries))
	}
	if !slices.Equal(sizes, []int{2, 1}) {
		return fmt.Errorf("pages of requests: %v", sizes)
	}
	return nil
}

func refusals(ctx context.Context, cloud *cloudcontrol.Client, identifier *string) error {
	event, err := create(ctx, cloud, "never")
	if err != nil {
		return err
	}
	cancel := &cloudcontrol.CancelResourceRequestInput{RequestToken: event.RequestToken}
	if _, err := cloud.CancelResourceRequest(ctx, cancel); err != nil {
		return err
	}
	if err := wait(ctx, cloud, event); err == nil {
		return errors.New("the waiter did not tell of a cancelled request")
	}
	_, err = cloud.CancelResourceRequest(ctx, cancel)
	if err := expect[*types.ConcurrentModificationException](err); err != nil {
		return err
	}
	_, err = cloud.GetResource(ctx, &cloudcontrol.GetResourceInput{TypeName: aws.String("AWS::None::Such"), Identifier: identifier})
	if err := expect[*types.TypeNotFoundException](err); err != nil {
		return err
	}
	_, err = cloud.ListResources(ctx, &cloudcontrol.ListResourcesInput{TypeName: aws.String("AWS::ApiGateway::Deployment")})
	if err := expect[*types.InvalidRequestException](err); err != nil {
		return err
	}
	rename := aws.String(`[{"op":"add","path":"/QueueName","value":"other"}]`)
	_, err = cloud.UpdateResource(ctx, &cloudcontrol.UpdateResourceInput{TypeName: queue, Identifier: identifier, PatchDocument: rename})
	return expect[*types.NotUpdatableException](err)
}

// expect holds an error against the class that the SDK must have found for it.
func expect[E error](err error) error {
	var wanted E
	if errors.As(err, &wanted) {
		return nil
	}
	return fmt.Errorf("expected %T, found %w", wanted, err)
}
