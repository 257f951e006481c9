// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/connectionfixture.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/dialogs/recentlist.h"

#include <QComboBox>
#include <QSpinBox>

using namespace lk;

using test::Fixture;
using test::parsed;

class TestConnectionDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::theme().choose(ThemeChoice::Light); }

    void returnConnectsToTheUsualPlace()
    {
        Fixture fixture;
        fixture.open();
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.chosen->size(), 1);
        ConnectionChoice expected;
        QCOMPARE(fixture.choice(), expected);
        QVERIFY(!fixture.dialog->isVisible());
        QVERIFY(fixture.recent.list().isEmpty()); // that is for who makes the connection
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
        row("jump host", "ssh://ops@jump:22/rediss://ann:p@h:7", "h:7",
            "rediss://ann:p@h:7?ssh=ops@jump:22");
        row("one node", "redis://h?cluster=no", "h:6379", "redis://h?cluster=no");
        row("socket", "unix:///tmp/r.sock?db=4", "/tmp/r.sock", "unix:///tmp/r.sock?db=4");
        row("plain socket", "/tmp/r.sock", "/tmp/r.sock", "unix:///tmp/r.sock");
    }

    void takesAWholeAddressApart()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QFETCH(QString, url);
        Fixture fixture;
        fixture.open();
        fixture.paste("Address", text);
        QTest::keyClick(fixture.line("Address"), Qt::Key_Return);
        QCOMPARE(fixture.chosen->size(), 1);
        QCOMPARE(fixture.choice().url, *parseServerUrl(url));
        QCOMPARE(fixture.line("Address")->text(), shown);
    }

    // The name in the certificate of one server does not apply to another server.
    void aServersNameStaysWithItsHost()
    {
        Fixture fixture;
        fixture.open();
        fixture.paste("Address", QStringLiteral("rediss://h?sni=redis.example"));
        fixture.type("Address", QStringLiteral("other"));
        QTest::keyClick(fixture.line("Address"), Qt::Key_Return);
        QCOMPARE(fixture.choice().url, *parseServerUrl(QStringLiteral("rediss://other")));
    }

    void aDatabaseOfACluster() // which Valkey 9 has; others refuse it
    {
        Fixture fixture;
        fixture.open();
        fixture.named<QSpinBox>("Database")->setValue(3);
        fixture.paste("Address", QStringLiteral("redis-cluster://h"));
        QTest::keyClick(fixture.line("Address"), Qt::Key_Return);
        QCOMPARE(fixture.choice().url, *parseServerUrl(QStringLiteral("redis-cluster://h/3")));
    }

    void aPastedPasswordIsOutOfSightAtOnce()
    {
        Fixture fixture;
        fixture.open();
        fixture.paste("Address", QStringLiteral("redis://ann:s3cret@h:7000"));
        QCOMPARE(fixture.line("Address")->text(), QStringLiteral("h:7000"));
        QCOMPARE(fixture.line("User")->text(), QStringLiteral("ann"));
        QCOMPARE(fixture.line("Password")->text(), QStringLiteral("s3cret"));
        QTest::keyClick(fixture.line("Address"), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(fixture.line("Address")->text(), QStringLiteral("h:7000"));
    }

    void aWrongAddressIsSaidInPlace()
    {
        Fixture fixture;
        fixture.open();
        fixture.type("Address", QStringLiteral("http://h"));
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.chosen->size(), 0);
        QVERIFY(fixture.dialog->isVisible());
        QVERIFY2(fixture.problems().contains(QStringLiteral("redis://")),
                 qPrintable(fixture.problems()));
        QTRY_VERIFY(fixture.line("Address")->hasFocus());
        fixture.type("Address", QStringLiteral("h"));
        QVERIFY(fixture.problems().isEmpty());
    }

    void aWrongConfigurationIsSaidInPlace()
    {
        Fixture fixture;
        fixture.writeConfig("[[limiter]]\nkey = \"a\"\nlayout = \"nonsense\"\n");
        fixture.open();
        fixture.paste("Configuration file", fixture.configPath());
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.chosen->size(), 0);
        QVERIFY2(fixture.problems().contains(QStringLiteral("nonsense")),
                 qPrintable(fixture.problems()));
        test::shoot(*fixture.dialog, QStringLiteral("connect-bad-config"));
        QCOMPARE(test::clippedTexts(*fixture.dialog), QStringList());

        fixture.writeConfig("[[limiter]]\nkey = \"a\"\nlayout = \"rolling-window\"\n");
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.choice().configFile, fixture.configPath());
    }

    void aConfigurationIsKeptByItsAbsolutePath()
    {
        Fixture fixture;
        fixture.writeConfig("[[limiter]]\nkey = \"a\"\nlayout = \"rolling-window\"\n");
        fixture.open();
        fixture.paste("Configuration file", QDir::current().relativeFilePath(fixture.configPath()));
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.choice().configFile, fixture.configPath());
    }

    void anAuthorityThatIsNotThereIsSaidInPlace()
    {
        Fixture fixture;
        fixture.open();
        QVERIFY(!fixture.line("Certificate authority")->isEnabled());
        fixture.tls()->click();
        fixture.paste("Certificate authority", QStringLiteral("/nonexistent/ca.pem"));
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.chosen->size(), 0);
        QVERIFY(fixture.problems().contains(QStringLiteral("/nonexistent/ca.pem")));
        fixture.tls()->click(); // without TLS it does not matter
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.choice().url, ServerUrl{});
    }

    void productionStandsOut()
    {
        Fixture fixture;
        fixture.open();
        auto* combo = fixture.named<QComboBox>("Environment");
        combo->setCurrentText(QStringLiteral("production"));
        QCOMPARE(fixture.dialog->findChild<EnvironmentBadge*>()->label(),
                 QStringLiteral("production"));
        QVERIFY(environmentStyle(QStringLiteral("Prod")).filled);
        QCOMPARE(environmentStyle(QStringLiteral("production")).role, ColorRole::Danger);
        for (const char* label :
             {"prod-eu", "Production EU", "eu_prod", "live", "casino-prod", "preprod and prod"})
            QVERIFY2(environmentStyle(QLatin1String(label)).filled, label);
        for (const char* label : {"staging", "preprod", "Pre-Production", "non prod", "delivery"})
            QVERIFY2(!environmentStyle(QLatin1String(label)).filled, label);
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.choice().environment, QStringLiteral("production"));
    }

    void aRecentServerBringsItsPasswordAlong()
    {
        Fixture fixture;
        fixture.recent.add({parsed("redis://ann@h:7000/2"),
                            QStringLiteral("orders-eu"),
                            QStringLiteral("production"),
                            {}});
        fixture.secrets.write(secretKey(parsed("redis://ann@h:7000")), QStringLiteral("s3cret"),
                              this, [](const Result<void>&) {});
        fixture.open();
        QTRY_COMPARE(fixture.line("Password")->text(), QStringLiteral("s3cret"));
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.choice().url, parsed("redis://ann:s3cret@h:7000/2"));
        QCOMPARE(fixture.choice().name, QStringLiteral("orders-eu"));
        QCOMPARE(fixture.choice().environment, QStringLiteral("production"));
        QVERIFY(fixture.choice().rememberPassword);
    }

    void waitsForTheKeyringBeforeItConnects()
    {
        Fixture fixture;
        fixture.recent.add({parsed("redis://h"), {}, {}, {}});
        fixture.secrets.write(secretKey(parsed("redis://h")), QStringLiteral("s3cret"), this,
                              [](const Result<void>&) {});
        ConnectionDialog dialog(fixture.recent, fixture.secrets);
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
        Fixture fixture;
        fixture.recent.add({parsed("redis://ann@h:7000"), {}, {}, {}});
        fixture.secrets.write(secretKey(parsed("redis://ann@h:7000")), QStringLiteral("s3cret"),
                              this, [](const Result<void>&) {});
        fixture.open();
        QTRY_COMPARE(fixture.line("Password")->text(), QStringLiteral("s3cret"));
        fixture.type(field.constData(), text);
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Return);
        QCOMPARE(fixture.chosen->size(), 1);
        QVERIFY(fixture.choice().url.password.isEmpty());
        QVERIFY(!fixture.choice().rememberPassword);
    }

    void forgetsAServerAndItsPassword()
    {
        Fixture fixture;
        fixture.recent.add({parsed("redis://a"), {}, {}, {}});
        fixture.recent.add({parsed("redis://b"), {}, {}, {}});
        fixture.secrets.write(secretKey(parsed("redis://b")), QStringLiteral("s3cret"), this,
                              [](const Result<void>&) {});
        fixture.open();
        QTest::keyClick(fixture.dialog->findChild<RecentList*>(), Qt::Key_Delete);
        QCOMPARE(fixture.recent.list().size(), 1);
        QVERIFY(fixture.secrets.secrets().isEmpty());
        QCOMPARE(fixture.line("Address")->text(), QStringLiteral("a:6379"));
        fixture.button("Forget")->click();
        QVERIFY(fixture.recent.list().isEmpty());
        QVERIFY(!fixture.button("Forget")->isEnabled());
    }

    void offersTheDemo()
    {
        Fixture fixture;
        fixture.open();
        fixture.type("Address", QStringLiteral("http://nonsense"));
        fixture.button("Open the demo")->click();
        QCOMPARE(fixture.chosen->size(), 1);
        ConnectionChoice expected;
        expected.demo = true;
        QCOMPARE(fixture.choice(), expected);
    }

    void escapeChoosesNothing()
    {
        Fixture fixture;
        fixture.open();
        QTest::keyClick(fixture.dialog.get(), Qt::Key_Escape);
        QVERIFY(!fixture.dialog->isVisible());
        QCOMPARE(fixture.chosen->size(), 0);
    }
};

LK_WIDGET_TEST(TestConnectionDialog);
#include "tst_connectiondialog.moc"
