// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "widgets/dialogs/recentservers.h"

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace lk;

namespace {

RecentServer server(const char* url, const char* name = "")
{
    return {*parseServerUrl(QLatin1String(url)), QLatin1String(name), {}, {}};
}

} // namespace

class TestRecentServers : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void remembersEverythingButThePassword()
    {
        RecentServer written{*parseServerUrl(QStringLiteral(
                                 "rediss://ann:s3cret@[::1]:7000/2?ca=/etc/ca.pem&name=desk")),
                             QStringLiteral("orders-eu"), QStringLiteral("production"),
                             QStringLiteral("/etc/lockkeeper.toml")};
        {
            QSettings settings(path(), QSettings::IniFormat);
            RecentServers servers(settings);
            servers.add(written);
            QVERIFY(servers.list().front().url.password.isEmpty());
        }
        QSettings settings(path(), QSettings::IniFormat);
        written.url.password.clear();
        QCOMPARE(RecentServers(settings).list(), QList{written});
        QVERIFY(!contents().contains("s3cret"));
    }

    void putsTheLatestFirstOnce()
    {
        QSettings settings(path(), QSettings::IniFormat);
        RecentServers servers(settings);
        servers.add(server("redis://a", "old"));
        servers.add(server("redis://b"));
        servers.add(server("redis://:password@a", "new"));
        QCOMPARE(servers.list().size(), 2);
        QCOMPARE(servers.list()[0].name, QStringLiteral("new"));
        QCOMPARE(servers.list()[1].url.host, QStringLiteral("b"));
    }

    void keepsAsManyAsTheLimit()
    {
        QSettings settings(path(), QSettings::IniFormat);
        RecentServers servers(settings);
        for (int i = 1; i <= RecentServers::limit + 3; ++i)
            servers.add({*parseServerUrl(QStringLiteral("host%1").arg(i)), {}, {}, {}});
        QCOMPARE(servers.list().size(), RecentServers::limit);
        QCOMPARE(servers.list().last().url.host, QStringLiteral("host4"));
        QCOMPARE(RecentServers(settings).list(), servers.list());
    }

    void forgetsOne()
    {
        QSettings settings(path(), QSettings::IniFormat);
        RecentServers servers(settings);
        servers.add(server("redis://a"));
        servers.add(server("redis://b"));
        servers.remove(*parseServerUrl(QStringLiteral("redis://a")));
        QCOMPARE(RecentServers(settings).list(), QList{server("redis://b")});
    }

    void passesOverWhatIsCorrupt_data()
    {
        QTest::addColumn<QByteArray>("ini");
        QTest::addColumn<QStringList>("hosts");
        QTest::newRow("nothing") << QByteArray() << QStringList();
        QTest::newRow("not a list") << QByteArray("recent-servers=3\n") << QStringList();
        QTest::newRow("a bad entry between good ones")
            << QByteArray("[recent-servers]\n1\\url=redis://a\n2\\url=http://b\n3\\url=redis://c\n"
                          "size=3\n")
            << QStringList{QStringLiteral("a"), QStringLiteral("c")};
        QTest::newRow("a size from nowhere")
            << QByteArray("[recent-servers]\n1\\url=redis://a\nsize=2000000000\n")
            << QStringList{QStringLiteral("a")};
        QTest::newRow("a negative size")
            << QByteArray("[recent-servers]\nsize=-4\n") << QStringList();
        QTest::newRow("twice the same")
            << QByteArray("[recent-servers]\n1\\url=redis://a\n2\\url=redis://a:6379/0\nsize=2\n")
            << QStringList{QStringLiteral("a")};
        QTest::newRow("bytes that are no text")
            << QByteArray("[recent-servers]\n1\\url=\\x0\\xff\n2\\url=c\nsize=2\n")
            << QStringList{QStringLiteral("c")};
    }

    void passesOverWhatIsCorrupt()
    {
        QFETCH(QByteArray, ini);
        QFETCH(QStringList, hosts);
        write(ini);
        QSettings settings(path(), QSettings::IniFormat);
        QStringList found;
        const RecentServers servers(settings);
        for (const RecentServer& entry : servers.list())
            found << entry.url.host;
        QCOMPARE(found, hosts);
    }

    void dropsAPasswordThatSomebodyWroteIntoTheFile()
    {
        write("[recent-servers]\n1\\url=redis://ann:s3cret@a\n1\\name=\"two\\nlines\"\nsize=1\n");
        QSettings settings(path(), QSettings::IniFormat);
        RecentServers servers(settings);
        QCOMPARE(servers.list().size(), 1);
        QCOMPARE(servers.list()[0].url.user, QStringLiteral("ann"));
        QVERIFY(servers.list()[0].url.password.isEmpty());
        QCOMPARE(servers.list()[0].name, QStringLiteral("two lines"));
        servers.add(server("redis://b"));
        settings.sync();
        QVERIFY(!contents().contains("s3cret"));
    }

private:
    QString path() const { return m_folder->filePath(QStringLiteral("settings.ini")); }

    QByteArray contents() const
    {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable s3cret");
    }

    void write(const QByteArray& ini)
    {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(ini), ini.size());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

LK_TEST(TestRecentServers);
#include "tst_recentservers.moc"
