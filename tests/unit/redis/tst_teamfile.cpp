// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/servers/teamfile.h"
#include "backend/text/errortext.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lk;

class TestTeamFile : public QObject
{
    Q_OBJECT

private slots:
    void readsServersInTheirOrder()
    {
        const auto team = parseTeamFile("[[server]]\nname = \"orders-eu\"\n"
                                        "url = \"redis://lockkeeper@orders-eu.internal:6379/1\"\n"
                                        "environment = \"production\"\ngroup = \"Orders\"\n"
                                        "config = \"orders.toml\"\n\n"
                                        "[[server]]\nurl = \"redis-sentinel://s1,s2/mymaster\"\n",
                                        QStringLiteral("/etc/lockkeeper/team.toml"));
        QVERIFY2(team, team ? "" : qPrintable(errorText(team.error())));
        QCOMPARE(team->size(), size_t(2));
        const TeamServer& first = team->front();
        QCOMPARE(first.name, QStringLiteral("orders-eu"));
        QCOMPARE(first.url.endpoint(), QStringLiteral("orders-eu.internal:6379/1"));
        QCOMPARE(first.url.user, QStringLiteral("lockkeeper"));
        QCOMPARE(first.environment, QStringLiteral("production"));
        QCOMPARE(first.group, QStringLiteral("Orders"));
        QCOMPARE(first.configFile, QStringLiteral("/etc/lockkeeper/orders.toml"));
        QCOMPARE(team->back().url.deployment, ServerUrl::Deployment::Sentinel);
        QCOMPARE(team->back().configFile, QString());
        QVERIFY(parseTeamFile("", QStringLiteral("t"))->empty());
    }

    // With the line of what is wrong, and never with what a password is.
    void refusesWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* title, const char* text, int line, const char* said) {
            QTest::newRow(title) << QByteArray(text) << line << QString::fromLatin1(said);
        };
        const char* const secret = "no password";
        row("password in the URL", "[[server]]\nname = \"a\"\nurl = \"redis://u:S3CRET@h\"\n", 3,
            secret);
        row("password alone", "[[server]]\nurl = \"redis://:S3CRET@h\"\n", 2, secret);
        row("a Sentinel's password",
            "[[server]]\nurl = \"redis-sentinel://h/m?sentinel_password=S3CRET\"\n", 2, secret);
        row("a key for it", "[[server]]\nurl = \"redis://h\"\npassword = \"S3CRET\"\n", 3, secret);
        row("unknown key", "[[server]]\nurl = \"redis://h\"\ncolour = \"red\"\n", 3, "unknown key");
        row("unknown table", "\n[team]\nname = \"x\"\n", 2, "[[server]]");
        row("one table", "[server]\nurl = \"redis://h\"\n", 1, "[[server]]");
        row("no URL", "\n[[server]]\nname = \"a\"\n", 2, "\"url\" is missing");
        row("another scheme", "[[server]]\nurl = \"http://u:S3CRET@h\"\n", 2, "redis://host");
        row("no text", "[[server]]\nurl = 7\n", 2, "quotes");
        row("two lines in a name", "[[server]]\nurl = \"redis://h\"\nname = \"a\\nb\"\n", 3,
            "one line");
        row("twice", "[[server]]\nurl = \"redis://h\"\n[[server]]\nurl = \"redis://h\"\n", 3,
            "already listed");
        row("no TOML", "[[server]]\nurl = \"redis://u:S3CRET@h\n", 2, "TOML");
    }
    void refusesWhatIsWrong()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QString, said);
        const auto team = parseTeamFile(text, QStringLiteral("team.toml"));
        QVERIFY(!team);
        QCOMPARE(team.error().code, ErrorCode::BadConfig);
        const QString what = errorText(team.error());
        QVERIFY2(what.contains(QStringLiteral("team.toml:%1:").arg(line)), qPrintable(what));
        QVERIFY2(what.contains(said), qPrintable(what));
        QVERIFY2(!what.contains(QLatin1String("S3CRET")), qPrintable(what));
    }

    void readsAFile()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("team.toml"));
        QCOMPARE(loadTeamFile(path).error().code, ErrorCode::FileError);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[[server]]\nurl = \"redis://h\"\nconfig = \"own.toml\"\n");
        file.close();
        const auto team = loadTeamFile(path);
        QVERIFY(team);
        QCOMPARE(team->front().configFile, folder.filePath(QStringLiteral("own.toml")));
    }
};

LK_TEST(TestTeamFile);
#include "tst_teamfile.moc"
