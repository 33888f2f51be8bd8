// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.openfast.ByteVectorValue;
import org.openfast.Context;
import org.openfast.DecimalValue;
import org.openfast.FieldValue;
import org.openfast.GroupValue;
import org.openfast.Message;
import org.openfast.ScalarValue;
import org.openfast.SequenceValue;
import org.openfast.StringValue;
import org.openfast.codec.FastDecoder;
import org.openfast.template.DynamicTemplateReference;
import org.openfast.template.Field;
import org.openfast.template.loader.XMLMessageTemplateLoader;

/**
 * Reads lines {@code {"templates": XML, "data": HEX}}; answers each with {@code {"messages": [...]}} or
 * {@code {"error": TEXT}}. A message is a list of pairs of name and value, absent fields left out.
 */
public final class Oracle {
    private Oracle() {}

    /** Bytes behind whose end there is nothing: the library would take -1 for a byte. */
    private static final class Datagram extends InputStream {
        private final ByteArrayInputStream bytes;

        Datagram(byte[] data) {
            bytes = new ByteArrayInputStream(data);
        }

        @Override
        public int read() {
            int found = bytes.read();
            if (found < 0) {
                throw new IllegalStateException("the datagram ends");
            }
            return found;
        }

        @Override
        public int read(byte[] into, int at, int count) throws IOException {
            if (count > bytes.available()) {
                throw new IllegalStateException("the datagram ends");
            }
            return bytes.read(into, at, count);
        }

        @Override
        public int available() {
            return bytes.available();
        }
    }

    /** The text of a member of a JSON object of texts. */
    private static String member(String line, String name) {
        int at = line.indexOf("\"" + name + "\": \"") + name.length() + 5;
        StringBuilder text = new StringBuilder();
        for (; line.charAt(at) != '"'; ++at) {
            char found = line.charAt(at);
            if (found != '\\') {
                text.append(found);
                continue;
            }
            char escaped = line.charAt(++at);
            switch (escaped) {
                case 'n' -> text.append('\n');
                case 't' -> text.append('\t');
                case 'r' -> text.append('\r');
                case 'b' -> text.append('\b');
                case 'f' -> text.append('\f');
                case 'u' -> {
                    text.append((char) Integer.parseInt(line.substring(at + 1, at + 5), 16));
                    at += 4;
                }
                default -> text.append(escaped);
            }
        }
        return text.toString();
    }

    private static byte[] bytesOf(String hex) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < hex.length(); at += 2) {
            bytes.write(Integer.parseInt(hex.substring(at, at + 2), 16));
        }
        return bytes.toByteArray();
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder("\"");
        for (byte one : bytes) {
            text.append(String.format("%02x", one));
        }
        return text.append('"').toString();
    }

    private static String quoted(String text) {
        StringBuilder made = new StringBuilder("\"");
        for (char one : text.toCharArray()) {
            made.append(one < ' ' || one == '"' || one == '\\' || one > '~' ? String.format("\\u%04x", (int) one) : "" + one);
        }
        return made.append('"').toString();
    }

    private static String message(Message message) {
        return fields(message, "[[\"id\"," + message.getInt(0) + "]", 1);
    }

    private static String fields(GroupValue group, String begin, int first) {
        StringBuilder text = new StringBuilder(begin);
        Field[] fields = group.getGroup().getFields();
        for (int at = first; at < fields.length; ++at) {
            FieldValue value = group.getValue(at);
            if (value == null || (value instanceof ScalarValue scalar && scalar.isNull())) {
                continue;
            }
            String name = fields[at] instanceof DynamicTemplateReference ? "templateRef" : fields[at].getName();
            text.append(text.length() > 1 ? "," : "").append('[').append(quoted(name)).append(',');
            text.append(shown(value)).append(']');
        }
        return text.append(']').toString();
    }

    private static String shown(FieldValue value) {
        if (value instanceof Message message) {
            return message(message);
        }
        if (value instanceof GroupValue group) {
            return fields(group, "[", 0);
        }
        if (value instanceof SequenceValue sequence) {
            StringBuilder text = new StringBuilder("[");
            for (GroupValue element : sequence.getValues()) {
                text.append(text.length() > 1 ? "," : "").append(fields(element, "[", 0));
            }
            return text.append(']').toString();
        }
        if (value instanceof DecimalValue decimal) {
            return "[" + decimal.exponent + "," + decimal.mantissa + "]";
        }
        if (value instanceof ByteVectorValue bytes) {
            return hex(bytes.value);
        }
        if (value instanceof StringValue string) {
            return hex(string.value.getBytes(StandardCharsets.UTF_8));
        }
        return value.toString();
    }

    private static String answer(String line) {
        XMLMessageTemplateLoader loader = new XMLMessageTemplateLoader();
        loader.setLoadTemplateIdFromAuxId(true);
        byte[] xml = member(line, "templates").getBytes(StandardCharsets.UTF_8);
        loader.load(new ByteArrayInputStream(xml));
        Context context = new Context();
        context.setTemplateRegistry(loader.getTemplateRegistry());
        Datagram data = new Datagram(bytesOf(member(line, "data")));
        FastDecoder decoder = new FastDecoder(context, data);
        StringBuilder text = new StringBuilder("{\"messages\":[");
        for (boolean first = true; data.available() > 0; first = false) {
            text.append(first ? "" : ",").append(message(decoder.readMessage()));
        }
        return text.append("]}").toString();
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err); // the library says things of its own
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String said;
            try {
                said = answer(line);
            } catch (Throwable wrong) {
                StringBuilder text = new StringBuilder(wrong.toString());
                for (Throwable cause = wrong.getCause(); cause != null; cause = cause.getCause()) {
                    text.append(" <- ").append(cause); // the outermost says only of which template it was
                }
                said = "{\"error\":" + quoted(text.toString()) + "}";
            }
            out.println(said);
            out.flush();
        }
    }
}
