import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.cloud.stream.binder.PartitionHandler;
import org.springframework.cloud.stream.binder.ProducerProperties;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;
import vectors.Harness;

/** Spring Cloud Stream with a partition key expression and its default selector, which is private: ask its handler. */
public final class SpringVectors {
    public static void main(String[] args) throws IOException {
        Map<Integer, PartitionHandler> handlers = new HashMap<>();
        Harness harness = new Harness(args);
        harness.client("spring-hashcode", "org.springframework.cloud:spring-cloud-stream",
                PartitionHandler.class.getPackage().getImplementationVersion(), "javahash, zero-min-abs", "");
        harness.rows("spring-hashcode", key -> Harness.text(key).hashCode(), (key, n) -> {
            MessageBuilder<String> message = MessageBuilder.withPayload("payload");
            if (key != null) {
                message.setHeader("key", Harness.text(key));
            }
            return partition(handlers.computeIfAbsent(n, SpringVectors::handler), message.build());
        }, null);
    }

    private static long partition(PartitionHandler handler, Message<String> message) {
        try {
            return handler.determinePartition(message);
        } catch (IllegalArgumentException e) { // no key
            throw new Harness.Refused(e.getMessage());
        }
    }

    private static PartitionHandler handler(int partitions) {
        ProducerProperties properties = new ProducerProperties();
        properties.setPartitionKeyExpression(new SpelExpressionParser().parseExpression("headers['key']"));
        properties.setPartitionCount(partitions);
        return new PartitionHandler(new StandardEvaluationContext(), properties, new DefaultListableBeanFactory());
    }
}
