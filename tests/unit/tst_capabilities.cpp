// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/server/capabilities.h"

#include <QTest>

using namespace lk;

namespace {

ServerVersion versionOf(const QByteArray& info)
{
    return serverVersion(ServerInfo::fromReply(Reply::bulk(info)));
}

} // namespace

class TestCapabilities : public QObject
{
    Q_OBJECT

private slots:
    void toldByInfo_data();
    void toldByInfo();
    void features_data();
    void features();
};

void TestCapabilities::toldByInfo_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<int>("flavour");
    QTest::addColumn<QString>("number");
    const auto row = [](const char* name, const char* info, Flavour flavour, const char* number) {
        QTest::newRow(name) << QByteArray(info) << int(flavour) << QString::fromLatin1(number);
    };
    row("redis", "redis_version:7.0.15\r\n", Flavour::Redis, "7.0.15");
    row("valkey", "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n",
        Flavour::Valkey, "8.0.1");
    row("keydb", "redis_version:6.3.4\r\nmvcc_depth:0\r\n", Flavour::KeyDb, "6.3.4");
    row("dragonfly", "redis_version:7.4.0\r\ndragonfly_version:df-v1.25.1\r\n", Flavour::Dragonfly,
        "1.25.1");
    row("garnet", "redis_version:7.4.3\r\ngarnet_version:1.0.44\r\n", Flavour::Unknown, "");
    row("another name", "redis_version:7.2.4\r\nserver_name:mine\r\n", Flavour::Unknown, "");
    row("INFO denied", "", Flavour::Unknown, "");
    row("no number", "redis_version:latest\r\n", Flavour::Unknown, "");
}

void TestCapabilities::toldByInfo()
{
    QFETCH(QByteArray, info);
    QFETCH(int, flavour);
    QFETCH(QString, number);
    const ServerVersion version = versionOf(info);
    QCOMPARE(int(version.flavour), flavour);
    QCOMPARE(version.number.toString(), number);
    const ServerFacts facts = ServerInfo::fromReply(Reply::bulk(info)).facts({});
    const bool known = version.flavour != Flavour::Unknown;
    QCOMPARE(facts.flavour, known ? flavourName(version.flavour) : QString());
    if (known) // and not what it is compatible with
        QCOMPARE(facts.version, number);
}

void TestCapabilities::features_data()
{
    QTest::addColumn<int>("flavour");
    QTest::addColumn<QString>("number");
    QTest::addColumn<int>("noTouch");
    QTest::addColumn<int>("acl");
    QTest::addColumn<int>("dryRun");
    using enum Support;
    const auto row = [](Flavour flavour, const char* number, Support noTouch, Support acl,
                        Support dryRun) {
        QTest::addRow("%d %s", int(flavour), number) << int(flavour) << QString::fromLatin1(number)
                                                     << int(noTouch) << int(acl) << int(dryRun);
    };
    row(Flavour::Redis, "5.0.14", No, No, No);
    row(Flavour::Redis, "6.0.0", No, Yes, No);
    row(Flavour::Redis, "6.2.14", No, Yes, No);
    row(Flavour::Redis, "7.0.15", No, Yes, Yes);
    row(Flavour::Redis, "7.2.0", Yes, Yes, Yes);
    row(Flavour::Redis, "7.4.5", Yes, Yes, Yes);
    row(Flavour::Redis, "7.9.225", Dangerous, Yes, Yes); // a milestone of 8.0
    row(Flavour::Redis, "8.0.0", Dangerous, Yes, Yes);
    row(Flavour::Redis, "8.2.2", Dangerous, Yes, Yes);
    row(Flavour::Redis, "8.2.3", Yes, Yes, Yes);
    row(Flavour::Redis, "8.10.0", Yes, Yes, Yes); // by number, not by letter
    row(Flavour::Redis, "255.255.255", Unknown, Unknown, Unknown);
    row(Flavour::Valkey, "7.2.11", Yes, Yes, Yes);
    row(Flavour::Valkey, "8.0.0", Dangerous, Yes, Yes);
    row(Flavour::Valkey, "8.0.9", Dangerous, Yes, Yes);
    row(Flavour::Valkey, "8.1.3", Dangerous, Yes, Yes);
    row(Flavour::Valkey, "8.1.4", Yes, Yes, Yes);
    row(Flavour::Valkey, "9.0.0", Yes, Yes, Yes);
    row(Flavour::Valkey, "255.255.255", Unknown, Unknown, Unknown);
    row(Flavour::KeyDb, "6.3.4", No, Yes, No);
    row(Flavour::Dragonfly, "1.25.1", Unknown, Yes, Unknown);
    row(Flavour::Unknown, "", Unknown, Unknown, Unknown);
}

void TestCapabilities::features()
{
    QFETCH(int, flavour);
    QFETCH(QString, number);
    const ServerVersion version{Flavour(flavour), QVersionNumber::fromString(number)};
    QTEST(int(supportOf(version, Feature::NoTouch)), "noTouch");
    QTEST(int(supportOf(version, Feature::Acl)), "acl");
    QTEST(int(supportOf(version, Feature::AclDryRun)), "dryRun");
}

QTEST_GUILESS_MAIN(TestCapabilities)
#include "tst_capabilities.moc"
