// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/aclcheck.h"
#include "backend/text/errortext.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/otherserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QSignalSpy>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Valkey 9.1: users who may use some databases only.
class TestDatabaseAccess : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        LK_USE_SERVER(m_server, "valkey-9.1");
        QVERIFY2(m_server.start(), m_server.output());
        m_server.line("SET lock:a me PX 600000");
        const QByteArray made =
            m_server.line("ACL SETUSER ann on >PASSWORD +@all ~* &* resetdbs db=1,2").text;
        QCOMPARE(made, QByteArray("OK"));
    }

    void aDatabaseThatIsNotOpen_data();
    void aDatabaseThatIsNotOpen();
    void theReportNamesIt_data();
    void theReportNamesIt();

private:
    ServerUrl urlOf(int database) const
    {
        ServerUrl url = m_server.url();
        url.user = u"ann"_s;
        url.password = u"PASSWORD"_s;
        url.database = database;
        return url;
    }

    RedisServer m_server;
};

void TestDatabaseAccess::aDatabaseThatIsNotOpen_data()
{
    QTest::addColumn<int>("database");
    QTest::newRow("the first, which nothing selects") << 0;
    QTest::newRow("another") << 3;
}

void TestDatabaseAccess::aDatabaseThatIsNotOpen()
{
    QFETCH(int, database);
    const TakenSnapshot taken = takeSnapshot(urlOf(database));
    QVERIFY(!taken.snapshot);
    QCOMPARE(taken.error.code, ErrorCode::NoPerm);
    QCOMPARE(deniedDatabaseOf(taken.error), std::optional(database));
    const QByteArray rule = "db=" + QByteArray::number(database);
    QVERIFY2(errorAdvice(taken.error).toLatin1().contains(rule),
             qPrintable(errorAdvice(taken.error)));
    QCOMPARE(missingFor(taken.error).permission, rule);
    QVERIFY(takeSnapshot(urlOf(1)).snapshot);
}

void TestDatabaseAccess::theReportNamesIt_data()
{
    QTest::addColumn<int>("database");
    QTest::addColumn<bool>("denied");
    QTest::newRow("denied") << 0 << true;
    QTest::newRow("allowed") << 1 << false;
}

void TestDatabaseAccess::theReportNamesIt()
{
    QFETCH(int, database);
    QFETCH(bool, denied);
    AclCheck check(urlOf(database), AclPurpose::Reading, 10'000);
    std::optional<AclReport> report;
    connect(&check, &AclCheck::finished, this, [&](const AclReport& r) { report = r; });
    check.start();
    QVERIFY(waitUntil([&] { return report.has_value(); }));
    QCOMPARE(report->databaseDenied, denied ? std::optional(database) : std::nullopt);
    QVERIFY(!report->keysDenied && report->lacking.empty());
    QCOMPARE(report->lacksAny(), denied);
}

LK_TEST(TestDatabaseAccess);
#include "tst_databaseaccess.moc"
