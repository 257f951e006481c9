// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/connectiondesk.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/dialogs/recentlist.h"

#include <QComboBox>

using namespace lk;

using test::Desk;
using test::parsed;

class TestConnectionDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::theme().choose(ThemeChoice::Light); }

    void returnConnectsToTheUsualPlace()
    {
        Desk desk;
        desk.open();
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.chosen->size(), 1);
        ConnectionChoice expected;
        QCOMPARE(desk.choice(), expected);
        QVERIFY(!desk.dialog->isVisible());
        QVERIFY(desk.recent.list().isEmpty()); // that is for who makes the connection
    }

    void takesAWholeAddressApart_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("url");
        const auto row = [](const char* name, const char* text, const char* shown,
                            const char* url) {
            QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(shown)
                                << QString::fromLatin1(url);
        };
        row("plain", "10.0.0.7:6380", "10.0.0.7:6380", "redis://10.0.0.7:6380");
        row("no port", "cache.local", "cache.local:6379", "redis://cache.local");
        row("everything", "rediss://ann:p%40ss@h:7000/3?ca=/etc/hosts&name=desk", "h:7000",
            "rediss://ann:p%40ss@h:7000/3?ca=/etc/hosts&name=desk");
        row("a certificate of its own",
            "rediss://h?cert=/etc/hosts&key=/etc/passwd&sni=redis.example", "h:6379",
            "rediss://h?cert=/etc/hosts&key=/etc/passwd&sni=redis.example");
        row("password only", "redis://:p@h", "h:6379", "redis://:p@h");
        row("IPv6", "redis://[::1]/1", "[::1]:6379", "redis://[::1]/1");
        row("Sentinels",
            "rediss-sentinel://ann:p@h,i:7/mymaster/2?ca=/etc/hosts&sentinel_user=s"
            "&sentinel_password=t&map=10.0.0.5:1=h:2",
            "redis-sentinel://h:26379,i:7/mymaster",
            "rediss-sentinel://ann:p@h,i:7/mymaster/2?ca=/etc/hosts&sentinel_user=s"
            "&sentinel_password=t&map=10.0.0.5:1=h:2");
        row("cluster", "redis-cluster://:p@h:1,[::1]:2", "redis-cluster://h:1,[::1]:2",
            "redis-cluster://:p@h:1,[::1]:2");
        row("one node", "redis://h?cluster=no", "h:6379", "redis://h?cluster=no");
        row("socket", "unix:///tmp/r.sock?db=4", "/tmp/r.sock", "unix:///tmp/r.sock?db=4");
        row("plain socket", "/tmp/r.sock", "/tmp/r.sock", "unix:///tmp/r.sock");
    }

    void takesAWholeAddressApart()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QFETCH(QString, url);
        Desk desk;
        desk.open();
        desk.paste("Address", text);
        QTest::keyClick(desk.line("Address"), Qt::Key_Return);
        QCOMPARE(desk.chosen->size(), 1);
        QCOMPARE(desk.choice().url, *parseServerUrl(url));
        QCOMPARE(desk.line("Address")->text(), shown);
    }

    // What the certificate of one server is for says nothing of another's.
    void aServersNameStaysWithItsHost()
    {
        Desk desk;
        desk.open();
        desk.paste("Address", QStringLiteral("rediss://h?sni=redis.example"));
        desk.type("Address", QStringLiteral("other"));
        QTest::keyClick(desk.line("Address"), Qt::Key_Return);
        QCOMPARE(desk.choice().url, *parseServerUrl(QStringLiteral("rediss://other")));
    }

    void aClusterHasOneDatabase()
    {
        Desk desk;
        desk.open();
        desk.paste("Address", QStringLiteral("redis://h/3"));
        desk.paste("Address", QStringLiteral("redis-cluster://h"));
        QTest::keyClick(desk.line("Address"), Qt::Key_Return);
        QCOMPARE(desk.chosen->size(), 0);
        QVERIFY2(desk.problems().contains(QStringLiteral("no database but 0")),
                 qPrintable(desk.problems()));
    }

    void aPastedPasswordIsOutOfSightAtOnce()
    {
        Desk desk;
        desk.open();
        desk.paste("Address", QStringLiteral("redis://ann:s3cret@h:7000"));
        QCOMPARE(desk.line("Address")->text(), QStringLiteral("h:7000"));
        QCOMPARE(desk.line("User")->text(), QStringLiteral("ann"));
        QCOMPARE(desk.line("Password")->text(), QStringLiteral("s3cret"));
        QTest::keyClick(desk.line("Address"), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.line("Address")->text(), QStringLiteral("h:7000"));
    }

    void aWrongAddressIsSaidInPlace()
    {
        Desk desk;
        desk.open();
        desk.type("Address", QStringLiteral("http://h"));
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.chosen->size(), 0);
        QVERIFY(desk.dialog->isVisible());
        QVERIFY2(desk.problems().contains(QStringLiteral("redis://")), qPrintable(desk.problems()));
        QTRY_VERIFY(desk.line("Address")->hasFocus());
        desk.type("Address", QStringLiteral("h"));
        QVERIFY(desk.problems().isEmpty());
    }

    void aWrongConfigurationIsSaidInPlace()
    {
        Desk desk;
        desk.writeConfig("[[limiter]]\nkey = \"a\"\nlayout = \"nonsense\"\n");
        desk.open();
        desk.paste("Configuration file", desk.configPath());
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.chosen->size(), 0);
        QVERIFY2(desk.problems().contains(QStringLiteral("nonsense")), qPrintable(desk.problems()));
        test::shoot(*desk.dialog, QStringLiteral("connect-bad-config"));
        QCOMPARE(test::clippedTexts(*desk.dialog), QStringList());

        desk.writeConfig("[[limiter]]\nkey = \"a\"\nlayout = \"rolling-window\"\n");
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.choice().configFile, desk.configPath());
    }

    void aConfigurationIsKeptByItsAbsolutePath()
    {
        Desk desk;
        desk.writeConfig("[[limiter]]\nkey = \"a\"\nlayout = \"rolling-window\"\n");
        desk.open();
        desk.paste("Configuration file", QDir::current().relativeFilePath(desk.configPath()));
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.choice().configFile, desk.configPath());
    }

    void anAuthorityThatIsNotThereIsSaidInPlace()
    {
        Desk desk;
        desk.open();
        QVERIFY(!desk.line("Certificate authority")->isEnabled());
        desk.tls()->click();
        desk.paste("Certificate authority", QStringLiteral("/nonexistent/ca.pem"));
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.chosen->size(), 0);
        QVERIFY(desk.problems().contains(QStringLiteral("/nonexistent/ca.pem")));
        desk.tls()->click(); // without TLS it does not matter
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.choice().url, ServerUrl{});
    }

    void productionStandsOut()
    {
        Desk desk;
        desk.open();
        auto* combo = desk.named<QComboBox>("Environment");
        combo->setCurrentText(QStringLiteral("production"));
        QCOMPARE(desk.dialog->findChild<EnvironmentBadge*>()->label(),
                 QStringLiteral("production"));
        QVERIFY(environmentStyle(QStringLiteral("Prod")).filled);
        QCOMPARE(environmentStyle(QStringLiteral("production")).role, ColorRole::Danger);
        for (const char* label :
             {"prod-eu", "Production EU", "eu_prod", "live", "casino-prod", "preprod and prod"})
            QVERIFY2(environmentStyle(QLatin1String(label)).filled, label);
        for (const char* label : {"staging", "preprod", "Pre-Production", "non prod", "delivery"})
            QVERIFY2(!environmentStyle(QLatin1String(label)).filled, label);
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.choice().environment, QStringLiteral("production"));
    }

    void aRecentServerBringsItsPasswordAlong()
    {
        Desk desk;
        desk.recent.add({parsed("redis://ann@h:7000/2"),
                         QStringLiteral("orders-eu"),
                         QStringLiteral("production"),
                         {}});
        desk.secrets.write(secretKey(parsed("redis://ann@h:7000")), QStringLiteral("s3cret"), this,
                           [](const Result<void>&) {});
        desk.open();
        QTRY_COMPARE(desk.line("Password")->text(), QStringLiteral("s3cret"));
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.choice().url, parsed("redis://ann:s3cret@h:7000/2"));
        QCOMPARE(desk.choice().name, QStringLiteral("orders-eu"));
        QCOMPARE(desk.choice().environment, QStringLiteral("production"));
        QVERIFY(desk.choice().rememberPassword);
    }

    void waitsForTheKeyringBeforeItConnects()
    {
        Desk desk;
        desk.recent.add({parsed("redis://h"), {}, {}, {}});
        desk.secrets.write(secretKey(parsed("redis://h")), QStringLiteral("s3cret"), this,
                           [](const Result<void>&) {});
        ConnectionDialog dialog(desk.recent, desk.secrets);
        QSignalSpy chosen(&dialog, &ConnectionDialog::chosen);
        dialog.accept(); // the keyring answers from the event loop: not yet
        QCOMPARE(chosen.size(), 0);
        QTRY_COMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<ConnectionChoice>().url.password, QStringLiteral("s3cret"));
    }

    void aStoredPasswordNeverGoesToAnotherServer_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("text");
        QTest::newRow("host") << QByteArray("Address") << QStringLiteral("other:7000");
        QTest::newRow("user") << QByteArray("User") << QStringLiteral("bob");
    }

    void aStoredPasswordNeverGoesToAnotherServer()
    {
        QFETCH(QByteArray, field);
        QFETCH(QString, text);
        Desk desk;
        desk.recent.add({parsed("redis://ann@h:7000"), {}, {}, {}});
        desk.secrets.write(secretKey(parsed("redis://ann@h:7000")), QStringLiteral("s3cret"), this,
                           [](const Result<void>&) {});
        desk.open();
        QTRY_COMPARE(desk.line("Password")->text(), QStringLiteral("s3cret"));
        desk.type(field.constData(), text);
        QTest::keyClick(desk.dialog.get(), Qt::Key_Return);
        QCOMPARE(desk.chosen->size(), 1);
        QVERIFY(desk.choice().url.password.isEmpty());
        QVERIFY(!desk.choice().rememberPassword);
    }

    void forgetsAServerAndItsPassword()
    {
        Desk desk;
        desk.recent.add({parsed("redis://a"), {}, {}, {}});
        desk.recent.add({parsed("redis://b"), {}, {}, {}});
        desk.secrets.write(secretKey(parsed("redis://b")), QStringLiteral("s3cret"), this,
                           [](const Result<void>&) {});
        desk.open();
        QTest::keyClick(desk.dialog->findChild<RecentList*>(), Qt::Key_Delete);
        QCOMPARE(desk.recent.list().size(), 1);
        QVERIFY(desk.secrets.secrets().isEmpty());
        QCOMPARE(desk.line("Address")->text(), QStringLiteral("a:6379"));
        desk.button("Forget")->click();
        QVERIFY(desk.recent.list().isEmpty());
        QVERIFY(!desk.button("Forget")->isEnabled());
    }

    void offersTheDemo()
    {
        Desk desk;
        desk.open();
        desk.type("Address", QStringLiteral("http://nonsense"));
        desk.button("Try the demo")->click();
        QCOMPARE(desk.chosen->size(), 1);
        ConnectionChoice expected;
        expected.demo = true;
        QCOMPARE(desk.choice(), expected);
    }

    void escapeChoosesNothing()
    {
        Desk desk;
        desk.open();
        QTest::keyClick(desk.dialog.get(), Qt::Key_Escape);
        QVERIFY(!desk.dialog->isVisible());
        QCOMPARE(desk.chosen->size(), 0);
    }
};

QTEST_MAIN(TestConnectionDialog)
#include "tst_connectiondialog.moc"
