// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/error.h"
#include "tests/support/testprogram.h"

#include "backend/text/errortext.h"

#include <QSet>
#include <QTest>

using namespace lk;

class TestError : public QObject
{
    Q_OBJECT

private slots:
    void sortsReplies_data();
    void sortsReplies();
    void hostileRepliesAreTamed();
    void argumentsAreNotRepeated();
    void everyCodeHasAText();
    void adviceFitsWhatWasDenied_data();
    void adviceFitsWhatWasDenied();
    void namesTheNode();
    void saysWhichDiskError();
    void waitsOnlyWhereWaitingHelps_data();
    void waitsOnlyWhereWaitingHelps();
};

void TestError::sortsReplies_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ErrorCode>("code");
    const auto row = [](const char* text, ErrorCode code) {
        QTest::newRow(*text ? text : "empty") << QByteArray(text) << code;
    };
    row("NOAUTH Authentication required.", ErrorCode::NoAuth);
    row("WRONGPASS invalid username-password pair or user is disabled.", ErrorCode::WrongPass);
    row("ERR invalid password", ErrorCode::WrongPass);
    row("ERR AUTH <password> called without any password configured", ErrorCode::WrongPass);
    row("NOPERM this user has no permissions to run the 'set' command", ErrorCode::NoPerm);
    row("LOADING Redis is loading the dataset in memory", ErrorCode::Loading);
    row("BUSY Redis is busy running a script.", ErrorCode::Busy);
    row("MASTERDOWN Link with MASTER is down", ErrorCode::MasterDown);
    row("READONLY You can't write against a read only replica.", ErrorCode::ReadOnly);
    row("MOVED 3999 127.0.0.1:6381", ErrorCode::Moved);
    row("ASK 3999 127.0.0.1:6381", ErrorCode::Moved);
    row("CROSSSLOT Keys in request don't hash to the same slot", ErrorCode::Moved);
    row("TRYAGAIN Multiple keys request during rehashing of slot", ErrorCode::Moved);
    row("CLUSTERDOWN Hash slot not served", ErrorCode::ClusterDown);
    row("WRONGTYPE Operation against a key", ErrorCode::WrongType);
    row("NOSCRIPT No matching script. Please use EVAL.", ErrorCode::NoScript);
    row("MISCONF Errors writing to the AOF file: No space left on device", ErrorCode::CannotSave);
    row("ERR max number of clients reached", ErrorCode::TooManyClients);
    row("OOM command not allowed when used memory > 'maxmemory'.", ErrorCode::OutOfMemory);
    row("OOM", ErrorCode::OutOfMemory);
    row("ERR unknown command", ErrorCode::ServerError);
    row("BUSYGROUP Consumer Group name already exists", ErrorCode::ServerError);
    row("BUSYKEY Target key name already exists.", ErrorCode::ServerError);
    row("noauth lower case is no class", ErrorCode::ServerError);
    row("", ErrorCode::ServerError);
}

void TestError::sortsReplies()
{
    QFETCH(QByteArray, text);
    QFETCH(ErrorCode, code);
    const Error error = errorFromReply(text);
    QCOMPARE(error.code, code);
    // Those always say the same: their detail is what else is known.
    const bool bare = code == ErrorCode::Loading || code == ErrorCode::MasterDown ||
                      code == ErrorCode::ClusterDown;
    QCOMPARE(error.detail, bare ? QString() : QString::fromLatin1(text));
}

void TestError::argumentsAreNotRepeated()
{
    for (const char* reply :
         {"ERR unknown command 'AUTH', with args beginning with: 'ann' 'S3CRET' ",
          "ERR unknown command `STRLEN`, with args beginning with: `S3CRET`, "}) {
        const QString text = errorText(errorFromReply(reply));
        QVERIFY2(text.contains(QLatin1String("unknown command")), qPrintable(text));
        QVERIFY2(!text.contains(QLatin1String("S3CRET")), qPrintable(text));
    }
}

void TestError::hostileRepliesAreTamed()
{
    const Error error = errorFromReply("ERR \x1b[2J\x07\r\n" + QByteArray(1'000'000, 'x'));
    QVERIFY(error.detail.startsWith(QStringLiteral("ERR \\x1b[2J\\x07\\x0d\\x0a")));
    QVERIFY(error.detail.size() < 1000);
}

void TestError::everyCodeHasAText()
{
    QSet<QString> texts;
    const int last = int(ErrorCode::FileError);
    for (int code = 0; code <= last; ++code) {
        const QString detail = QStringLiteral("detail %1").arg(code);
        const QString text = errorText({ErrorCode(code), detail});
        QVERIFY2(!text.isEmpty(), qPrintable(detail));
        QVERIFY2(!text.contains(QStringLiteral("%1")), qPrintable(text));
        texts.insert(text);
    }
    QCOMPARE(texts.size(), last + 1); // no two say the same
}

void TestError::adviceFitsWhatWasDenied_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("advice");
    QTest::newRow("reading") << QByteArray("NOPERM this user has no permissions to run the 'scan' "
                                           "command")
                             << QStringLiteral("+@read");
    QTest::newRow("a script") << QByteArray("NOPERM this user has no permissions to run the "
                                            "'evalsha' command")
                              << QStringLiteral("+eval +evalsha");
    QTest::newRow("a script, by DRYRUN") << QByteArray("NOPERM User bob has no permissions to run "
                                                       "the 'eval' command")
                                         << QStringLiteral("+eval +evalsha");
    QTest::newRow("a key") << QByteArray("NOPERM this user has no permissions to access one of the "
                                         "keys used as arguments")
                           << QStringLiteral("~PATTERN");
}

void TestError::adviceFitsWhatWasDenied()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, advice);
    const QString told = errorAdvice(errorFromReply(text));
    QVERIFY2(told.contains(advice), qPrintable(told));
}

// In a cluster the user has to know the node to connect to, and when to wait.
void TestError::namesTheNode()
{
    const QString node = QStringLiteral("10.0.0.2:6381");
    const Error moved = errorFromReply("MOVED 3999 10.0.0.2:6381");
    QVERIFY(errorText(moved).contains(node) && errorText(moved).contains(QStringLiteral("MOVED")));
    const Error ask = errorFromReply("ASK 3999 10.0.0.2:6381");
    QVERIFY(errorText(ask).contains(node) && errorText(ask).contains(QStringLiteral("3999")));
    QVERIFY(errorText(ask).contains(QStringLiteral("migrated")));
    QVERIFY(errorAdvice(ask).startsWith(QStringLiteral("Wait")));
    const Error again = errorFromReply("TRYAGAIN Multiple keys request during rehashing of slot");
    QVERIFY(errorText(again).contains(QStringLiteral("migrated")));
    QVERIFY(errorAdvice(again).startsWith(QStringLiteral("Wait")));
    const Error cross = errorFromReply("CROSSSLOT Keys in request don't hash to the same slot");
    QVERIFY(errorText(cross).contains(QStringLiteral("different slots")));
    QCOMPARE(errorText(errorFromReply("ASK")), // hostile: nothing to be read out of it
             QStringLiteral("The key is on another node of the cluster: ASK"));
    const Error keyed{ErrorCode::Moved, QStringLiteral("a: ASK 1 x: ASK 3999 10.0.0.2:6381")};
    QVERIFY(redirectionOf(keyed));
    QCOMPARE(redirectionOf(keyed)->key, QStringLiteral("a: ASK 1 x"));
    QCOMPARE(redirectionOf(keyed)->node, node);
    QVERIFY(errorText({ErrorCode::ClusterReplica, node}).endsWith(node));
}

void TestError::saysWhichDiskError()
{
    const QString aof = errorText(
        errorFromReply("MISCONF Errors writing to the AOF file: No space left on device"));
    QVERIFY2(aof.contains(QStringLiteral("append-only file (No space left on device)")),
             qPrintable(aof));
    const QString rdb =
        errorText(errorFromReply("MISCONF Redis is configured to save RDB snapshots, but it's "
                                 "currently unable to persist to "
                                 "disk. Commands that may modify the data set are disabled"));
    QVERIFY2(rdb.contains(QStringLiteral("snapshot failed")), qPrintable(rdb));
}

void TestError::waitsOnlyWhereWaitingHelps_data()
{
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<bool>("transient");
    QTest::newRow("refused") << ErrorCode::Refused << true;
    QTest::newRow("timeout") << ErrorCode::Timeout << true;
    QTest::newRow("closed") << ErrorCode::ServerClosed << true;
    QTest::newRow("loading") << ErrorCode::Loading << true;
    QTest::newRow("busy") << ErrorCode::Busy << true;
    QTest::newRow("name not found") << ErrorCode::NameNotFound << true;
    QTest::newRow("password needed") << ErrorCode::NoAuth << false;
    QTest::newRow("wrong password") << ErrorCode::WrongPass << false;
    QTest::newRow("not trusted") << ErrorCode::TlsFailed << false;
    QTest::newRow("no TLS") << ErrorCode::TlsUnavailable << false;
    QTest::newRow("a replica, to act") << ErrorCode::Replica << false;
    QTest::newRow("TLS wanted") << ErrorCode::TlsWanted << false;
    QTest::newRow("too many clients") << ErrorCode::TooManyClients << true;
    QTest::newRow("bad address") << ErrorCode::BadUrl << false;
}

void TestError::waitsOnlyWhereWaitingHelps()
{
    QFETCH(ErrorCode, code);
    QFETCH(bool, transient);
    QCOMPARE(isTransient({code, {}}), transient);
}

LK_TEST(TestError);
#include "tst_error.moc"
