import java.io.*;
import java.net.Socket;
import java.security.*;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import static java.nio.charset.StandardCharsets.UTF_8;

/** A hub: java Hub.java KEY-FILE HOST:PORT BODY pushes one body to a listening box and prints what became of it. */
class Hub {
    static final String id = "java-" + random(8), sent = "" + System.currentTimeMillis(); // one id for every try
    Socket box; DataInputStream in; int sequence, type, number; String payload;

    static String random(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
    static byte[] frame(int type, int number, byte[] data) throws IOException {
        var bytes = new ByteArrayOutputStream(); var out = new DataOutputStream(bytes); var sum = new java.util.zip.CRC32C();
        out.writeInt(0xC0B10100 | type); out.writeInt(number); out.writeInt(data.length);
        sum.update(bytes.toByteArray()); sum.update(data);
        out.writeInt((int) sum.getValue()); out.write(data);
        return bytes.toByteArray();
    }
    void send(int type, String text) throws IOException { box.getOutputStream().write(frame(type, ++sequence, text.getBytes(UTF_8))); }
    void receive() throws IOException {
        byte[] head = in.readNBytes(16);
        if (head.length < 16) throw new EOFException("the box closed the connection");
        type = head[3] & 0xFF; number = new DataInputStream(new ByteArrayInputStream(head, 4, 4)).readInt();
        byte[] data = in.readNBytes((head[9] & 0xFF) << 16 | (head[10] & 0xFF) << 8 | head[11] & 0xFF);
        if (!java.util.Arrays.equals(frame(type, number, data), 0, 16, head, 0, 16)) throw new IOException("no frame");
        payload = new String(data, UTF_8);
    }
    String field(String name) { return payload.replaceFirst(".*\"" + name + "\":\"([^\"]*)\".*", "$1"); }
    void push(String[] words) throws Exception {
        var place = words[1].split(":"); var nonce = random(32); var done = false; var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(HexFormat.of().parseHex(java.nio.file.Files.readString(java.nio.file.Path.of(words[0])).strip()), "HmacSHA256"));
        box = new Socket(place[0], Integer.parseInt(place[1])); box.setSoTimeout(75_000); in = new DataInputStream(box.getInputStream());
        send(0x01, "{\"role\":\"hub\",\"hub\":\"example-java\",\"nonce\":\"" + nonce + "\",\"time\":" + System.currentTimeMillis() + "}");
        while (!done || type != 0x20) { // the box asks at the end whether its outcome is kept
            receive();
            if (type == 0x01) { // HELLO: is it our box? Then it learns that we are its hub.
                String text = String.join("|", field("box"), nonce, field("nonce"), "plain");
                byte[] proof = mac.doFinal(("counterbox-1|box|" + text).getBytes(UTF_8));
                if (!MessageDigest.isEqual(proof, HexFormat.of().parseHex(field("proof")))) throw new SecurityException("this box has another key");
                send(0x02, "{\"proof\":\"" + HexFormat.of().formatHex(mac.doFinal(("counterbox-1|hub|" + text).getBytes(UTF_8))) + "\"}");
                send(0x10, "{\"id\":\"" + id + "\",\"sent\":" + sent + ",\"time\":" + System.currentTimeMillis() + ",\"body\":" + words[2] + "}");
            } else if (type == 0x11) { // RESULT; the last one tells of voice and paper
                System.out.println(payload);
                done |= payload.contains("\"voice\":") && payload.contains("\"paper\":");
                if (payload.contains("\"refused\"")) break;
            } else if (type == 0x20) send(0x21, "{\"ping\":" + number + "}"); // every RESULT before it is printed: kept
            else if (type == 0x7F) throw new SecurityException("the box says goodbye: " + field("reason"));
        }
        send(0x7F, "{\"reason\":\"closing\"}");
    }
    public static void main(String[] words) throws Exception {
        while (true) try { new Hub().push(words); return; } catch (IOException error) { System.err.println(error + ": once more in 2 s"); Thread.sleep(2000); }
    }
}
