import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.json.JsonConverter;

/** Reads records with schemas, one a line, through Connect's JSON converter and writes what the converter makes of them again. */
public class RoundTrip {
    public static void main(String[] args) throws Exception {
        JsonConverter converter = new JsonConverter();
        converter.configure(Map.of("schemas.enable", "true", "replace.null.with.default", "false"), false);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String back;
            try {
                SchemaAndValue read = converter.toConnectData("t", line.getBytes(StandardCharsets.UTF_8));
                back = new String(converter.fromConnectData("t", read.schema(), read.value()), StandardCharsets.UTF_8);
            } catch (Exception e) {
                back = "ERROR " + e.toString().replace('\n', ' ');
            }
            out.print(back + "\n");
        }
        out.flush();
    }
}
