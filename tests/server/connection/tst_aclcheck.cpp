// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/aclcheck.h"
#include "tests/support/guiseserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(lk::AclPurpose)

namespace {

using AskedBy = AclReport::AskedBy;

QByteArrayList rulesOf(const std::vector<SentCommand>& commands)
{
    QByteArrayList rules;
    for (const SentCommand& command : commands)
        rules << aclRule(command);
    std::sort(rules.begin(), rules.end());
    return rules;
}

} // namespace

/// The permissions that a user lacks, as the server reports them.
class TestAclCheck : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

    ServerUrl userUrl() const
    {
        ServerUrl url = m_server.url();
        url.user = u"lockkeeper"_s;
        url.password = u"PASSWORD"_s;
        return url;
    }
    /// As printed, to be typed in. Those that this version refuses.
    QByteArrayList makeUser(AclPurpose purpose)
    {
        m_server.line("ACL DELUSER lockkeeper");
        QByteArrayList refused;
        for (const QByteArray& line : aclLines(purpose)) {
            if (m_server.line(line).isError())
                refused << line;
        }
        return refused;
    }
    static std::optional<AclReport> check(const ServerUrl& url, AclPurpose purpose)
    {
        std::optional<AclReport> report;
        bool failed = false;
        AclCheck check(url, purpose, 10'000);
        connect(&check, &AclCheck::finished, &check, [&](const AclReport& r) { report = r; });
        connect(&check, &AclCheck::failed, &check, [&] { failed = true; });
        check.start();
        const bool came = QTest::qWaitFor([&] { return report || failed; }, 20'000);
        return came ? report : std::nullopt;
    }
    qsizetype denials() { return qsizetype(m_server.line("ACL LOG").items.size()); }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.line("ACL LOG RESET"); }

    void aUserAsPrintedLacksNothing_data();
    void aUserAsPrintedLacksNothing();
    void whatIsTakenAwayIsTold_data();
    void whatIsTakenAwayIsTold();
    void withoutDryRunReadsAreTried();
    void aReaderLacksWhatActsNeed();
    void keysOutsideThePatterns();
    void channelsOutsideThePatterns();
    void versionsWithoutUsers();
    void versionsWithoutDryRun();
    void someKeysAreNotAll_data();
    void someKeysAreNotAll();
    void nothingIsRun();
    void noConnection();
};

void TestAclCheck::aUserAsPrintedLacksNothing_data()
{
    QTest::addColumn<AclPurpose>("purpose");
    QTest::newRow("reading") << AclPurpose::Reading;
    QTest::newRow("acting") << AclPurpose::Acting;
}

void TestAclCheck::aUserAsPrintedLacksNothing()
{
    QFETCH(AclPurpose, purpose);
    // No more is refused than what this version does not have.
    for (const QByteArray& line : makeUser(purpose)) {
        const QByteArray command = line.mid(line.lastIndexOf('+') + 1);
        const Reply known = m_server.run({"COMMAND", "INFO", command});
        QVERIFY2(line == "ACL SETUSER lockkeeper +" + command && known.items[0].isNil(),
                 line.constData());
    }
    const auto report = check(userUrl(), purpose);
    QVERIFY(report);
    QCOMPARE(report->askedBy, AskedBy::DryRun);
    QCOMPARE(report->user, QByteArray("lockkeeper"));
    QCOMPARE(rulesOf(report->lacking), QByteArrayList());
    QCOMPARE(rulesOf(report->unknown), QByteArrayList());
    QVERIFY(!report->keysDenied);
    QCOMPARE(denials(), 0);
}

void TestAclCheck::whatIsTakenAwayIsTold_data()
{
    QTest::addColumn<QByteArray>("rule");
    const ServerVersion server{Flavour::Redis, QVersionNumber(7, 0, 15)};
    for (const SentCommand& command : commandsFor(AclPurpose::Acting, server)) {
        // Without these nothing can be asked by a dry run; SELECT is for other databases.
        if (command.use != CommandUse::Database && qstrcmp(command.name, "ACL") != 0)
            QTest::newRow(aclRule(command).constData()) << aclRule(command);
    }
}

// One at a time: it is found, and nothing besides.
void TestAclCheck::whatIsTakenAwayIsTold()
{
    QFETCH(QByteArray, rule);
    makeUser(AclPurpose::Acting);
    QCOMPARE(m_server.line("ACL SETUSER lockkeeper -" + rule.mid(1)).text, QByteArray("OK"));
    const auto report = check(userUrl(), AclPurpose::Acting);
    QVERIFY(report);
    QCOMPARE(rulesOf(report->lacking), QByteArrayList{rule});
    // The line that it proposes helps.
    m_server.line(aclGrant(report->user, report->lacking));
    const auto granted = check(userUrl(), AclPurpose::Acting);
    QVERIFY(granted);
    QCOMPARE(rulesOf(granted->lacking), QByteArrayList());
}

void TestAclCheck::withoutDryRunReadsAreTried()
{
    makeUser(AclPurpose::Acting);
    m_server.line("ACL SETUSER lockkeeper -acl|dryrun -lrange -config|get -psubscribe -del");
    const auto report = check(userUrl(), AclPurpose::Acting);
    QVERIFY(report);
    QCOMPARE(report->askedBy, AskedBy::Trial);
    QCOMPARE(rulesOf(report->lacking),
             (QByteArrayList{"+acl|dryrun", "+config|get", "+lrange", "+psubscribe"}));
    const QByteArrayList unknown = rulesOf(report->unknown); // a write is not tried
    QVERIFY(unknown.contains("+del") && unknown.contains("+eval") && unknown.contains("+rpush"));
    QVERIFY(!unknown.contains("+get"));
}

void TestAclCheck::aReaderLacksWhatActsNeed()
{
    makeUser(AclPurpose::Reading);
    const auto report = check(userUrl(), AclPurpose::Acting);
    QVERIFY(report);
    QCOMPARE(report->lacking.size(), actingCommands().size());
}

void TestAclCheck::keysOutsideThePatterns()
{
    makeUser(AclPurpose::Reading);
    m_server.line("ACL SETUSER lockkeeper resetkeys ~lock:*");
    const auto report = check(userUrl(), AclPurpose::Reading);
    QVERIFY(report);
    QVERIFY(report->keysDenied);
    QCOMPARE(rulesOf(report->lacking), QByteArrayList());
}

void TestAclCheck::channelsOutsideThePatterns()
{
    for (const char* rule : {"+acl|dryrun", "-acl|dryrun"}) {
        makeUser(AclPurpose::Reading);
        QVERIFY(!check(userUrl(), AclPurpose::Reading)->channelsDenied);
        m_server.line(QByteArray("ACL SETUSER lockkeeper resetchannels ") + rule);
        const auto report = check(userUrl(), AclPurpose::Reading);
        QVERIFY(report);
        QVERIFY2(report->channelsDenied, rule);
        QVERIFY(!report->keysDenied);
    }
}

void TestAclCheck::versionsWithoutUsers()
{
    const GuiseServer server(m_server, {"redis_version:5.0.14", {"ACL"}});
    const auto report = check(server.url(), AclPurpose::Reading);
    QVERIFY(report);
    QCOMPARE(report->askedBy, AskedBy::NoUsers);
    QVERIFY(report->lacking.empty());
    QCOMPARE(server.unknown(), QByteArrayList());
}

void TestAclCheck::versionsWithoutDryRun()
{
    const GuiseServer server(m_server,
                             {"redis_version:6.2.14", {"ACL DRYRUN"}, {"LRANGE", "CLIENT LIST"}});
    const auto report = check(server.url(), AclPurpose::Reading);
    QVERIFY(report);
    QCOMPARE(report->askedBy, AskedBy::Trial);
    QCOMPARE(rulesOf(report->lacking), (QByteArrayList{"+client|list", "+lrange"}));
}

void TestAclCheck::someKeysAreNotAll_data()
{
    QTest::addColumn<QByteArray>("patterns");
    QTest::addColumn<bool>("denied");
    QTest::newRow("all") << QByteArray("~*") << false;
    for (const char* some :
         {"~api*", "~lock*", "~lock:*", "~*lock*", "~*:*", "~*check", "~lockkeeper:*"})
        QTest::newRow(some) << QByteArray(some) << true;
}

void TestAclCheck::someKeysAreNotAll()
{
    QFETCH(QByteArray, patterns);
    QFETCH(bool, denied);
    makeUser(AclPurpose::Reading);
    m_server.line("ACL SETUSER lockkeeper resetkeys " + patterns);
    const auto report = check(userUrl(), AclPurpose::Reading);
    QVERIFY(report);
    QCOMPARE(report->keysDenied, denied);
}

// Neither by a dry run nor by trying.
void TestAclCheck::nothingIsRun()
{
    const QByteArray key = "\x01\x02\x01"; // that it asks about
    m_server.run({"SET", key, "1"});
    const QByteArray before = m_server.run({"DUMP", key}).text;
    for (const char* rule : {"+acl|dryrun", "-acl|dryrun"}) {
        makeUser(AclPurpose::Acting);
        m_server.line(QByteArray("ACL SETUSER lockkeeper ") + rule);
        QVERIFY(check(userUrl(), AclPurpose::Acting));
        QCOMPARE(m_server.run({"DUMP", key}).text, before);
        QCOMPARE(m_server.line("DBSIZE").integer, 1);
    }
    m_server.flush();
}

void TestAclCheck::noConnection()
{
    makeUser(AclPurpose::Reading);
    ServerUrl url = userUrl();
    url.password = u"wrong"_s;
    QVERIFY(!check(url, AclPurpose::Reading));
}

LK_TEST(TestAclCheck);
#include "tst_aclcheck.moc"
