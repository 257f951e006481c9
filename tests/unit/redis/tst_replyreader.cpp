// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/replyreader.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

using namespace lk;

Q_DECLARE_METATYPE(lk::Reply)

namespace {

Reply one(ReplyReader& reader)
{
    Reply reply;
    const Result<bool> complete = reader.next(reply);
    return complete.value_or(false) ? reply : Reply::error("TEST incomplete");
}

// A random reply and its bytes.
Reply randomReply(QRandomGenerator& random, int depth, QByteArray& bytes)
{
    const int kind = random.bounded(depth > 0 ? 6 : 5);
    QByteArray text(random.bounded(20), char('a' + random.bounded(26)));
    switch (kind) {
    case 0:
        bytes += random.bounded(2) ? "$-1\r\n" : "*-1\r\n";
        return Reply::nil();
    case 1:
        bytes += '+' + text + "\r\n";
        return Reply::status(text);
    case 2:
        bytes += '-' + text + "\r\n";
        return Reply::error(text);
    case 3: {
        const qint64 number = qint64(random.generate64());
        bytes += ':' + QByteArray::number(number) + "\r\n";
        return Reply::number(number);
    }
    case 4:
        text += QByteArray("\r\n\0*$", 5);
        bytes += '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
        return Reply::bulk(text);
    default:
        break;
    }
    const int count = random.bounded(5);
    bytes += '*' + QByteArray::number(count) + "\r\n";
    std::vector<Reply> items;
    for (int i = 0; i < count; ++i)
        items.push_back(randomReply(random, depth - 1, bytes));
    return Reply::array(std::move(items));
}

} // namespace

class TestReplyReader : public QObject
{
    Q_OBJECT

private slots:
    void parses_data();
    void parses();
    void splitAtEveryByte();
    void randomRepliesInRandomPieces();
    void refuses_data();
    void refuses();
    void replacesWhatItIsGiven();
    void limitsAreForEachReply();
    void announcedSizesCostNothing();
    void staysBroken();
};

void TestReplyReader::parses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Reply>("expected");
    const auto row = [](const char* name, const QByteArray& bytes, const Reply& reply) {
        QTest::newRow(name) << bytes << reply;
    };
    row("status", "+OK\r\n", Reply::status("OK"));
    row("empty status", "+\r\n", Reply::status(""));
    row("error", "-ERR no\r\n", Reply::error("ERR no"));
    row("integer", ":-42\r\n", Reply::number(-42));
    row("largest", ":9223372036854775807\r\n", Reply::number(9223372036854775807LL));
    row("smallest", ":-9223372036854775808\r\n", Reply::number(std::numeric_limits<qint64>::min()));
    row("bulk", "$3\r\na\r\n\r\n", Reply::bulk("a\r\n"));
    row("bulk with a zero", QByteArray("$3\r\na\0b\r\n", 9), Reply::bulk(QByteArray("a\0b", 3)));
    row("empty bulk", "$0\r\n\r\n", Reply::bulk(""));
    row("nil bulk", "$-1\r\n", Reply::nil());
    row("nil array", "*-1\r\n", Reply::nil());
    row("empty array", "*0\r\n", Reply::array({}));
    row("nested", "*2\r\n*1\r\n:1\r\n*0\r\n",
        Reply::array({Reply::array({Reply::number(1)}), Reply::array({})}));
    row("error within an array", "*2\r\n-ERR a\r\n+b\r\n",
        Reply::array({Reply::error("ERR a"), Reply::status("b")}));
    Reply deep = Reply::number(1);
    for (int i = 0; i < 7; ++i)
        deep = Reply::array({deep});
    row("seven deep", QByteArray("*1\r\n").repeated(7) + ":1\r\n", deep);
    row("eight deep", QByteArray("*1\r\n").repeated(8) + ":1\r\n", Reply::array({deep}));
    row("more than is reserved", "*1000\r\n" + QByteArray("*1\r\n:5\r\n").repeated(1000),
        Reply::array(std::vector<Reply>(1000, Reply::array({Reply::number(5)}))));
}

void TestReplyReader::parses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(Reply, expected);
    ReplyReader reader;
    reader.feed(bytes + bytes);
    QCOMPARE(one(reader), expected);
    QCOMPARE(one(reader), expected);
    Reply none;
    QCOMPARE(reader.next(none).value_or(true), false);
}

void TestReplyReader::splitAtEveryByte()
{
    const QByteArray bytes("*4\r\n$3\r\nabc\r\n*2\r\n:-7\r\n$-1\r\n+s\r\n-e\r\n:1\r\n");
    const Reply expected =
        Reply::array({Reply::bulk("abc"), Reply::array({Reply::number(-7), Reply::nil()}),
                      Reply::status("s"), Reply::error("e")});
    const qsizetype last = bytes.size() - 4;
    for (qsizetype cut = 1; cut < last; ++cut) {
        ReplyReader reader;
        reader.feed(QByteArrayView(bytes).first(cut));
        Reply reply;
        QCOMPARE(reader.next(reply).value_or(true), false);
        reader.feed(QByteArrayView(bytes).sliced(cut));
        QCOMPARE(one(reader), expected);
        QCOMPARE(one(reader), Reply::number(1));
    }
    ReplyReader reader;
    for (qsizetype i = 0; i < last; ++i) {
        Reply reply;
        QCOMPARE(reader.next(reply).value_or(true), false);
        reader.feed(QByteArrayView(bytes).sliced(i, 1));
    }
    QCOMPARE(one(reader), expected);
}

void TestReplyReader::randomRepliesInRandomPieces()
{
    QRandomGenerator random(7);
    QByteArray bytes;
    std::vector<Reply> expected;
    for (int i = 0; i < 2000; ++i)
        expected.push_back(randomReply(random, 5, bytes));
    std::vector<Reply> got;
    ReplyReader reader;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype size = std::min(qsizetype(random.bounded(1, 300)), bytes.size() - at);
        reader.feed(QByteArrayView(bytes).sliced(at, size));
        at += size;
        Reply reply;
        while (reader.next(reply).value_or(false))
            got.push_back(reply);
    }
    QVERIFY(got == expected);
}

void TestReplyReader::refuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<ErrorCode>("code");
    const auto row = [](const char* name, const QByteArray& bytes, ErrorCode code) {
        QTest::newRow(name) << bytes << code;
    };
    const ErrorCode protocol = ErrorCode::Protocol;
    const ErrorCode large = ErrorCode::ReplyTooLarge;
    row("HTTP", "HTTP/1.1 200 OK\r\n", protocol);
    row("TLS alert", QByteArray("\x15\x03\x01\x00\x02\x02\x46", 7), protocol);
    row("RESP3 map", "%1\r\n", protocol);
    row("RESP3 null", "_\r\n", protocol);
    row("RESP3 push", ">2\r\n", protocol);
    row("RESP3 set", "~1\r\n", protocol);
    row("RESP3 attribute", "|1\r\n", protocol);
    row("RESP3 boolean", "#t\r\n", protocol);
    row("RESP3 double", ",1.5\r\n", protocol);
    row("RESP3 big number", "(123456789012345678901234567890\r\n", protocol);
    row("RESP3 verbatim string", "=7\r\ntxt:abc\r\n", protocol);
    row("integer with letters", ":12a\r\n", protocol);
    row("integer out of range", ":99999999999999999999\r\n", protocol);
    row("array of -2", "*-2\r\n", protocol);
    row("array without a number", "*\r\n", protocol);
    row("bulk of -2", "$-2\r\n", protocol);
    row("bulk without a number", "$x\r\n", protocol);
    row("nine deep", QByteArray("*1\r\n").repeated(9), protocol);
    row("endlessly deep", QByteArray("*1\r\n").repeated(100'000), protocol);
    row("array too long", "*101\r\n", large);
    row("array of 2 milliards", "*2000000000\r\n", large);
    row("arrays too long together", "*2\r\n*60\r\n" + QByteArray(":1\r\n").repeated(60) + "*60\r\n",
        large);
    row("bulk too long", "$1001\r\n", large);
    row("bulk of 5 milliards", "$5000000000\r\n", large);
    row("bulk too long behind another", "*2\r\n$600\r\n" + QByteArray(600, 'x') + "\r\n$600\r\n",
        large);
    row("bulk too long behind what looks like lines",
        "*4\r\n$6\r\n$9\r\n\r\n\r\n$-1\r\n+$9\r\n$1001\r\n", large);
    row("bulks too long together",
        "*2\r\n$600\r\n" + QByteArray(600, 'x') + "\r\n$600\r\n" + QByteArray(600, 'x') + "\r\n",
        large);
    row("status too long", '+' + QByteArray(1001, 'x') + "\r\n", large);
    row("line without an end", '+' + QByteArray(70'000, 'x'), large);
    row("header without an end", '$' + QByteArray(70'000, '1'), large);
}

void TestReplyReader::refuses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(ErrorCode, code);
    ReplyReader whole({1000, 100});
    whole.feed(bytes);
    Reply reply;
    const Result<bool> result = whole.next(reply);
    QVERIFY(!result);
    QCOMPARE(result.error().code, code);
    QVERIFY(!result.error().detail.isEmpty());
    // In pieces it ends the same way.
    ReplyReader pieces({1000, 100});
    Result<bool> last = false;
    for (qsizetype i = 0; i < bytes.size() && last; i += 7) {
        pieces.feed(QByteArrayView(bytes).sliced(i, std::min(qsizetype(7), bytes.size() - i)));
        last = pieces.next(reply);
    }
    QVERIFY(!last);
    QCOMPARE(last.error().code, code);
}

void TestReplyReader::replacesWhatItIsGiven()
{
    ReplyReader reader;
    reader.feed("+OK\r\n:1\r\n$-1\r\n");
    Reply reply = Reply::array({Reply::bulk("old")});
    reply.text = "old";
    for (const Reply& expected : {Reply::status("OK"), Reply::number(1), Reply::nil()}) {
        QVERIFY(reader.next(reply).value_or(false));
        QCOMPARE(reply, expected);
    }
}

void TestReplyReader::limitsAreForEachReply()
{
    ReplyReader reader({1000, 10});
    for (int i = 0; i < 100; ++i) {
        reader.feed("*10\r\n" + QByteArray("$90\r\n" + QByteArray(90, 'x') + "\r\n").repeated(10));
        QCOMPARE(one(reader).items.size(), 10U);
    }
}

void TestReplyReader::announcedSizesCostNothing()
{
    ReplyReader reader({1024 * 1024 * 1024, 1'000'000'000});
    // 2 x 900 M announced replies of 64 bytes: reserving for them would fail or swap.
    QElapsedTimer elapsed;
    elapsed.start();
    reader.feed("*900000000\r\n");
    Reply reply;
    QCOMPARE(reader.next(reply).value_or(true), false);
    reader.feed("$900000000\r\nabc");
    QCOMPARE(reader.next(reply).value_or(true), false);
    QVERIFY(elapsed.elapsed() < 1000);
}

void TestReplyReader::staysBroken()
{
    ReplyReader reader;
    reader.feed("?\r\n");
    Reply reply;
    const Result<bool> first = reader.next(reply);
    reader.feed("+OK\r\n");
    const Result<bool> second = reader.next(reply);
    QVERIFY(!first && !second);
    QCOMPARE(first.error(), second.error());
}

LK_TEST(TestReplyReader);
#include "tst_replyreader.moc"
