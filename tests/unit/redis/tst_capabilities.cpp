// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/server/capabilities.h"
#include "tests/support/testprogram.h"

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
    void commands_data();
    void commands();
    void whatAVersionLacks();

private:
    using Named = std::vector<std::pair<QByteArray, Feature>>;
    static Named named()
    {
        return {{"no-touch", Feature::NoTouch},      {"acl", Feature::Acl},
                {"dryrun", Feature::AclDryRun},      {"tracking", Feature::Tracking},
                {"events", Feature::KeyspaceEvents}, {"hash", Feature::HashSample},
                {"lpos", Feature::ListPosition},     {"stream", Feature::StreamDetails},
                {"expiry", Feature::ExpiryMoment},   {"fields", Feature::FieldExpiry},
                {"shards", Feature::ClusterShards},  {"slots", Feature::SlotStats},
                {"delifeq", Feature::DeleteIfEqual}, {"delex", Feature::DeleteExtended},
                {"ifeq", Feature::SetIfEqual},       {"lua-module", Feature::LuaModule}};
    }
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
    QCOMPARE(facts.flavour, version.flavour);
    if (version.flavour != Flavour::Unknown) // and not what it is compatible with
        QCOMPARE(facts.version, number);
}

void TestCapabilities::features_data()
{
    QTest::addColumn<int>("flavour");
    QTest::addColumn<QString>("number");
    QTest::addColumn<QByteArray>("there"); ///< and all others are not
    QTest::addColumn<QByteArray>("dangerous");
    QTest::addColumn<QByteArray>("unknown");
    const auto row = [](Flavour flavour, const char* number, const QByteArray& there,
                        const char* dangerous = "", const char* unknown = "") {
        QTest::addRow("%s %s", qPrintable(flavourName(flavour)), number)
            << int(flavour) << QString::fromLatin1(number) << there << QByteArray(dangerous)
            << QByteArray(unknown);
    };
    const QByteArray redis5 = "events";
    const QByteArray redis60 = redis5 + " acl tracking stream";
    const QByteArray redis606 = redis60 + " lpos";
    const QByteArray redis62 = redis606 + " hash";
    const QByteArray redis70 = redis62 + " dryrun expiry shards";
    const QByteArray redis74 = redis70 + " fields";
    const QByteArray redis82 = redis74 + " slots";
    const QByteArray redis84 = redis82 + " delex ifeq no-touch";
    row(Flavour::Redis, "5.0.14", redis5);
    row(Flavour::Redis, "6.0.0", redis60);
    row(Flavour::Redis, "6.0.16", redis606);
    row(Flavour::Redis, "6.2.14", redis62);
    row(Flavour::Redis, "7.0.15", redis70);
    row(Flavour::Redis, "7.2.0", redis70 + " no-touch");
    row(Flavour::Redis, "7.4.5", redis74 + " no-touch");
    row(Flavour::Redis, "7.9.225", redis74, "no-touch"); // a milestone of 8.0
    row(Flavour::Redis, "8.0.0", redis74, "no-touch");
    row(Flavour::Redis, "8.2.2", redis82, "no-touch");
    row(Flavour::Redis, "8.2.3", redis82 + " no-touch");
    row(Flavour::Redis, "8.4.0", redis84);
    row(Flavour::Redis, "8.10.0", redis84); // by number, not by letter
    const QByteArray valkey72 = redis70;
    const QByteArray valkey80 = valkey72 + " slots";
    const QByteArray valkey81 = valkey80 + " ifeq";
    const QByteArray valkey90 = valkey81 + " fields delifeq no-touch";
    row(Flavour::Valkey, "7.2.11", valkey72 + " no-touch");
    row(Flavour::Valkey, "8.0.0", valkey80, "no-touch");
    row(Flavour::Valkey, "8.0.9", valkey80, "no-touch");
    row(Flavour::Valkey, "8.1.3", valkey81, "no-touch");
    row(Flavour::Valkey, "8.1.4", valkey81 + " no-touch");
    row(Flavour::Valkey, "9.0.0", valkey90);
    row(Flavour::Valkey, "9.1.0", valkey90 + " lua-module");
    row(Flavour::KeyDb, "6.3.4", "acl tracking events stream", "", "hash lpos");
    row(Flavour::Dragonfly, "1.25.1", "acl hash lpos", "",
        "stream expiry fields shards delex ifeq");
    QByteArrayList all;
    for (const auto& [name, feature] : named())
        all << name;
    row(Flavour::Dragonfly, "1.9.0", "", "", all.join(' ').constData());
    row(Flavour::Redis, "255.255.255", "", "", all.join(' ').constData());
    row(Flavour::Valkey, "255.255.255", "", "", all.join(' ').constData());
    row(Flavour::Unknown, "", "", "", all.join(' ').constData());
}

void TestCapabilities::features()
{
    QFETCH(int, flavour);
    QFETCH(QString, number);
    QFETCH(QByteArray, there);
    QFETCH(QByteArray, dangerous);
    QFETCH(QByteArray, unknown);
    const ServerVersion version{Flavour(flavour), QVersionNumber::fromString(number)};
    for (const auto& [name, feature] : named()) {
        Support expected = Support::No;
        if (there.split(' ').contains(name))
            expected = Support::Yes;
        else if (dangerous.split(' ').contains(name))
            expected = Support::Dangerous;
        else if (unknown.split(' ').contains(name))
            expected = Support::Unknown;
        QVERIFY2(supportOf(version, feature) == expected, name.constData());
        const bool tried =
            expected == Support::Yes || (expected == Support::Unknown && name != "no-touch");
        QVERIFY2(mayTry(version, feature) == tried, name.constData());
    }
}

void TestCapabilities::commands_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("feature");
    const auto row = [](const char* line, const char* feature) {
        QTest::newRow(line) << QByteArray(line) << QByteArray(feature);
    };
    row("CLIENT NO-TOUCH ON", "no-touch");
    row("client no-touch on", "no-touch");
    row("CLIENT TRACKING ON BCAST", "tracking");
    row("CLIENT LIST", "");
    row("CLIENT", "");
    row("ACL WHOAMI", "acl");
    row("ACL DRYRUN u GET k", "dryrun");
    row("HRANDFIELD k 6", "hash");
    row("HSCAN k 0", "");
    row("LPOS k a", "lpos");
    row("XINFO STREAM s FULL COUNT 1", "stream");
    row("XINFO STREAM FULL", ""); // a key of that name
    row("XINFO GROUPS s", "");
    row("PEXPIRETIME k", "expiry");
    row("PTTL k", "");
    row("HPTTL k FIELDS 1 a", "fields");
    row("CLUSTER SLOTS", "");
    row("CLUSTER SHARDS", "shards");
    row("CLUSTER SLOT-STATS SLOTSRANGE 0 1", "slots");
    row("DELIFEQ k v", "delifeq");
    row("DELEX k IFEQ v", "delex");
    row("SET k v IFEQ v PX 1", "ifeq");
    row("SET k IFEQ", ""); // the value
    row("GET k", "");
}

void TestCapabilities::commands()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, feature);
    const QByteArrayList words = line.split(' ');
    const Command command(std::vector<QByteArray>(words.begin(), words.end()));
    QByteArray found;
    for (const auto& [name, each] : named()) {
        if (featureOf(command) == each)
            found = name;
    }
    QCOMPARE(found, feature);
}

// A version that is not known lacks nothing for sure.
void TestCapabilities::whatAVersionLacks()
{
    const std::vector<Command> batch{
        {"TIME"}, {"HRANDFIELD", "k", "6"}, {"LPOS", "k", "a"}, {"GET", "k"}};
    const ServerVersion redis5{Flavour::Redis, QVersionNumber(5, 0, 14)};
    QCOMPARE(lackingCommands(redis5, batch), (std::vector<size_t>{1, 2}));
    QCOMPARE(lackingCommands({Flavour::Redis, QVersionNumber(6, 0, 16)}, batch),
             std::vector<size_t>{1});
    QVERIFY(lackingCommands({Flavour::Redis, QVersionNumber(7, 0)}, batch).empty());
    QVERIFY(lackingCommands({}, batch).empty());
    const std::vector<Command> danger{{"CLIENT", "NO-TOUCH", "ON"}};
    QCOMPARE(lackingCommands({Flavour::Redis, QVersionNumber(8, 2, 2)}, danger),
             std::vector<size_t>{0});
    QVERIFY(lackingReply(batch[1]).text.startsWith("ERR unknown command 'HRANDFIELD'"));
}

LK_TEST(TestCapabilities);
#include "tst_capabilities.moc"
