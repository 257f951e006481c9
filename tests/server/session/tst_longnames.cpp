// SPDX-License-Identifier: GPL-3.0-or-later
// Two hundred keys whose names are a megabyte each: found all the same, whole where it is data,
// short where people read.
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include "backend/text/errortext.h"

using namespace lk;
using namespace lk::test;

class TestLongNames : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY2(m_server.start(), m_server.output());
        for (int i = 0; i < keys; ++i)
            m_server.run({"SET", nameOf(i), "owner", "PX", "3600000"});
        for (int i = 0; i < 2000; ++i)
            m_server.run({"SET", "plain:" + QByteArray::number(i), "x"});
    }

    void areFoundAndListed()
    {
        const TakenSnapshot taken = takeSnapshot(m_server.url(),
                                                 configOf("[[lock]]\nkey = \"lock:*\"\n"
                                                          "layout = \"set-nx-px\"\n"),
                                                 {}, 120'000);
        QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
        QVERIFY(taken.scan()[QStringLiteral("complete")].toBool());
        QByteArrayList names = taken.names("locks");
        std::sort(names.begin(), names.end());
        QCOMPARE(names.size(), keys);
        QCOMPARE(names.front(), nameOf(0));
        QCOMPARE(names.back(), nameOf(keys - 1));
        for (const QByteArray& line : taken.text.split('\n'))
            QVERIFY2(line.size() < 8 * 1024, line.left(100).constData());
    }

private:
    static constexpr int keys = 200;
    static QByteArray nameOf(int number)
    {
        return "lock:" + QByteArray::number(number).rightJustified(3, '0') + ':' +
               QByteArray(1024 * 1024, 'n');
    }

    RedisServer m_server;
};

LK_TEST(TestLongNames);
#include "tst_longnames.moc"
