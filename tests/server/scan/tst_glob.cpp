// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/glob.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

using namespace lk;
using namespace lk::test;

/// The console's own matching against the server's, which reads the same patterns in SCAN.
class TestGlobOnServer : public QObject
{
    Q_OBJECT

private slots:
    void agrees();
};

void TestGlobOnServer::agrees()
{
    RedisServer server;
    QVERIFY2(server.start(), server.output());
    const QByteArray alphabet("ab-]^\\[*");
    QRandomGenerator random(3);
    const auto text = [&random](const QByteArray& letters, int longest) {
        QByteArray result;
        for (int length = random.bounded(1, longest + 1); length > 0; --length)
            result += letters[random.bounded(int(letters.size()))];
        return result;
    };
    QByteArrayList names;
    for (int i = 0; i < 200; ++i)
        names << text(alphabet, 3);
    for (const QByteArray& name : names)
        server.run({"SET", name, "1"});
    for (int i = 0; i < 3000; ++i) {
        const QByteArray pattern = text("aab-]^\\[[*?", 6);
        if (pattern.contains("-]")) // the server takes the bracket for the range's end
            continue;
        const Reply reply = server.run({"SCAN", "0", "MATCH", pattern, "COUNT", "1000"});
        QByteArrayList found;
        for (const Reply& item : reply.items.at(1).items)
            found << item.text;
        for (const QByteArray& name : names) {
            if (globMatches(pattern, name) != found.contains(name))
                QFAIL((pattern + " on " + name).constData());
        }
    }
}

LK_TEST(TestGlobOnServer);
#include "tst_glob.moc"
