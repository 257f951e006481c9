// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/backgroundscan.h"
#include "backend/text/errortext.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/faultserver.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

/// A server with three locks, of which lock:a ends before its type is asked for, and lock:b before
/// its value is; unless they are there again.
struct Ending
{
    FaultServer server;
    bool there = false;

    Ending()
    {
        server.answer("TIME", "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
        server.answer("INFO",
                      bulk("redis_version:7.0.15\r\nredis_mode:standalone\r\nrole:master\r\n"));
        server.answer("DBSIZE", ":3\r\n");
        server.answer("SCAN", "*2\r\n" + bulk("0") + "*3\r\n" + bulk("lock:a") + bulk("lock:b") +
                                  bulk("lock:c"));
        server.answerBy("TYPE", [this](const Command& command) {
            const QByteArray& key = command.args()[1];
            const bool gone =
                !key.startsWith("lock:") || key.count(':') > 1 || (key == "lock:a" && !there);
            return QByteArray(gone ? "+none\r\n" : "+string\r\n");
        });
        server.answerBy("GETRANGE", [this](const Command& command) {
            return bulk(command.args()[1] == "lock:b" && !there ? "" : "ef1f63c");
        });
        server.answerBy("PTTL", [this](const Command& command) {
            return QByteArray(command.args()[1] == "lock:b" && !there ? ":-2\r\n" : ":600000\r\n");
        });
    }
};

} // namespace

/// Keys that end between SCAN and what is asked of them then.
class TestVanishedKeys : public QObject
{
    Q_OBJECT

private slots:
    // They are no keys that were scanned and not recognized.
    void areNotCounted()
    {
        Ending ending;
        const TakenSnapshot taken = takeSnapshot(ending.server.url());
        QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
        QCOMPARE(taken.names("locks"), QByteArrayList{"lock:c"});
        QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(), 1);
        QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), 1);
        QVERIFY(taken.scan()["complete"_L1].toBool());
        QVERIFY(taken.scan()["missing"_L1].toArray().isEmpty());
    }

    // Whatever comes back under their names is read.
    void areReadAgain()
    {
        Ending ending;
        ManualClock clock(1'000'000);
        Discovery discovery{Config()};
        BackgroundScan sweep(ending.server.url(), discovery, clock);
        int scans = 0;
        connect(&sweep, &BackgroundScan::passFinished, &sweep, [&] { ++scans; });
        sweep.open();
        QTRY_COMPARE(scans, 1);
        QCOMPARE(discovery.registry().size(), 1);
        QCOMPARE(sweep.counts().scanned, 1);
        QCOMPARE(sweep.counts().notRecognized, 0);
        ending.there = true;
        clock.advance(60'000);
        sweep.everySecond();
        QTRY_COMPARE(scans, 2);
        QCOMPARE(discovery.registry().size(), 3);
        QCOMPARE(sweep.counts().scanned, 3);
    }
};

LK_TEST(TestVanishedKeys);
#include "tst_vanishedkeys.moc"
