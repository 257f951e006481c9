// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/missing.h"
#include "backend/findings/findings.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

class TestMissing : public QObject
{
    Q_OBJECT

private slots:
    void reasons_data();
    void reasons();
    void manyKeysAreFewReasons();
    void whatWasSeenIsNotMissing();
    void eachReasonHasAText();
};

void TestMissing::reasons_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<Missing::Cause>("cause");
    QTest::addColumn<QByteArray>("permission");
    const auto row = [](const char* title, const char* reply, Missing::Cause cause,
                        const char* permission) {
        QTest::newRow(title) << QByteArray(reply) << cause << QByteArray(permission);
    };
    using Cause = Missing::Cause;
    row("Redis 6",
        "NOPERM this user has no permissions to run the 'lrange' command or its subcommand",
        Cause::Command, "+lrange");
    row("Redis 7", "NOPERM User some has no permissions to run the 'memory|usage' command",
        Cause::Command, "+memory|usage");
    row("a key, Redis 6",
        "NOPERM this user has no permissions to access one of the keys used as arguments",
        Cause::KeyPatterns, "~*");
    row("a key, Redis 7.2", "NOPERM No permissions to access a key", Cause::KeyPatterns, "~*");
    row("a database", "NOPERM No permissions to access database 3", Cause::Database, "db=3");
    row("a made up command", "NOPERM to run the '\x1b[31m' command", Cause::KeyPatterns, "~*");
    row("moved", "MOVED 3999 127.0.0.1:6381", Cause::OtherNodes, "");
    row("migrating", "ASK 3999 127.0.0.1:6381", Cause::Migrating, "");
    row("another error", "ERR internal error", Cause::Refused, "");
}

void TestMissing::reasons()
{
    QFETCH(QByteArray, reply);
    QFETCH(Missing::Cause, cause);
    QFETCH(QByteArray, permission);
    const Missing missing = missingFor(errorFromReply(reply));
    QCOMPARE(missing.cause, cause);
    QCOMPARE(missing.permission, permission);
}

void TestMissing::manyKeysAreFewReasons()
{
    MissingTally tally;
    const Error denied = errorFromReply("NOPERM No permissions to access a key");
    for (int i = 0; i < 1000; ++i)
        tally.addKeys(denied);
    // A reader puts the key's name before the server's words; it may look like them.
    for (int i = 0; i < 1000; ++i)
        tally.addPrimitive({ErrorCode::NoPerm,
                            QStringLiteral("to run the 'x%1': NOPERM User a has no permissions to "
                                           "run the 'lrange' command")
                                .arg(i)},
                           Kind::Queue);
    for (int i = 0; i < 1000; ++i)
        tally.addKeys({ErrorCode::ServerError, QString::number(i)});
    QVERIFY(tally.all().size() <= 40);
    QCOMPARE(tally.all()[0].keys, 1000);
    QCOMPARE(tally.all()[1].permission, QByteArray("+lrange"));
    QCOMPARE(tally.all()[1].primitives[size_t(Kind::Queue)], 1000);
    qint64 all = 0;
    for (const Missing& missing : tally.all())
        all += missing.keys;
    QCOMPARE(all, 2000);
}

void TestMissing::whatWasSeenIsNotMissing()
{
    QVERIFY(isUnread({ErrorCode::NoPerm, {}}));
    QVERIFY(isUnread({ErrorCode::ReplyTooLarge, {}}));
    QVERIFY(!isUnread({ErrorCode::WrongType, {}}));
    QVERIFY(!isUnread({ErrorCode::Undecodable, {}}));
    ScanCounts scan;
    scan.complete = true;
    QVERIFY(scan.whole());
    scan.missing.push_back({});
    QVERIFY(!scan.whole());
}

void TestMissing::eachReasonHasAText()
{
    ScanCounts scan;
    scan.scanned = 1234;
    using Cause = Missing::Cause;
    for (const Cause cause : {Cause::Command, Cause::KeyPatterns, Cause::OtherNodes,
                              Cause::TooLarge, Cause::Endless, Cause::Stopped, Cause::Refused}) {
        Missing missing;
        missing.cause = cause;
        missing.keys = 7;
        missing.permission = cause == Cause::Command ? "+zrange" : "";
        const QString text = missingText(missing, scan);
        QVERIFY2(text.endsWith(QLatin1Char('.')), qPrintable(text));
        QVERIFY2(!text.contains(QLatin1Char('%')), qPrintable(text));
        QVERIFY(!missingKey(missing).isEmpty());
    }
}

LK_TEST(TestMissing);
#include "tst_missing.moc"
