// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/keychain/keychainsecretstore.h"
#include "backend/secrets/keyring.h"
#include "tests/support/testprogram.h"

#include "backend/text/errortext.h"

#include <QElapsedTimer>
#include <QTest>

using namespace lk;

namespace {

struct Answer
{
    int calls = 0;
    bool good = false;
    QString secret;
    Error error;

    SecretStore::ReadHandler read()
    {
        return [this](const Result<QString>& result) {
            ++calls;
            good = result.has_value();
            secret = result.value_or(QString());
            error = result ? Error{} : result.error();
        };
    }
    SecretStore::DoneHandler done()
    {
        return [this](const Result<void>& result) {
            ++calls;
            good = result.has_value();
            error = result ? Error{} : result.error();
        };
    }
};

QString key()
{
    return QStringLiteral("redis://ann@127.0.0.1:6379/0");
}

QString secret()
{
    return QStringLiteral("s3cret");
}

} // namespace

class TestSecretStore : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        // No keyring, whatever desktop the tests run on.
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
        qunsetenv("XDG_CURRENT_DESKTOP");
        qunsetenv("DESKTOP_SESSION");
        qunsetenv("KDE_FULL_SESSION");
    }

    void namesTheKeyByEndpointAndUser_data()
    {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("other");
        QTest::addColumn<bool>("same");
        const auto row = [](const char* name, const char* one, const char* other, bool same) {
            QTest::newRow(name) << QString::fromLatin1(one) << QString::fromLatin1(other) << same;
        };
        row("database", "redis://ann:s3cret@h/1", "redis://ann:other@h/2", true);
        row("client name", "redis://h?name=a", "redis://h?name=b", true);
        row("authority", "rediss://h?ca=/a.pem", "rediss://h?ca=/b.pem", true);
        row("user", "redis://ann@h", "redis://bob@h", false);
        row("host", "redis://ann@h", "redis://ann@i", false);
        row("port", "redis://ann@h:1", "redis://ann@h:2", false);
        row("plain and TLS", "redis://ann@h", "rediss://ann@h", false);
        row("socket", "unix:///a.sock?db=1", "unix:///a.sock", true);
    }

    void namesTheKeyByEndpointAndUser()
    {
        QFETCH(QString, one);
        QFETCH(QString, other);
        QFETCH(bool, same);
        QCOMPARE(secretKey(*parseServerUrl(one)) == secretKey(*parseServerUrl(other)), same);
        QVERIFY(!secretKey(*parseServerUrl(one)).contains(secret()));
    }

    void memoryKeepsAndForgets()
    {
        MemorySecretStore store;
        Answer wrote;
        store.write(key(), secret(), this, wrote.done());
        QCOMPARE(wrote.calls, 0); // answers come later, from the event loop
        QTRY_COMPARE(wrote.calls, 1);
        QVERIFY(wrote.good);
        Answer read;
        store.read(key(), this, read.read());
        QTRY_COMPARE(read.calls, 1);
        QCOMPARE(read.secret, secret());
        Answer removed;
        store.remove(key(), this, removed.done());
        QTRY_COMPARE(removed.calls, 1);
        Answer gone;
        store.read(key(), this, gone.read());
        QTRY_COMPARE(gone.calls, 1);
        QVERIFY(!gone.good);
    }

    void memoryCanBeBroken()
    {
        MemorySecretStore store;
        store.setBroken({ErrorCode::NotInstalled, QStringLiteral("no keyring")});
        Answer checked;
        store.check(this, checked.done());
        Answer wrote;
        store.write(key(), secret(), this, wrote.done());
        QTRY_COMPARE(wrote.calls, 1);
        QVERIFY(!checked.good);
        QVERIFY(!wrote.good);
        QVERIFY(store.secrets().isEmpty());
    }

    void answersNobodyWhoIsGone()
    {
        MemorySecretStore store;
        Answer gone;
        {
            QObject context;
            store.check(&context, gone.done());
        }
        Answer later;
        store.check(this, later.done());
        QTRY_COMPARE(later.calls, 1);
        QCOMPARE(gone.calls, 0);
    }

    // Where there is no keyring every question is answered with an error, once and in time, and
    // nothing is kept anywhere else.
    void aMissingKeyringIsAnError()
    {
        const auto keyring = openKeyring({QStringLiteral(LOCKKEEPER_PLUGINS)});
        QVERIFY(!dynamic_cast<MemorySecretStore*>(keyring.get()));
        SecretStore& store = *keyring;
        QElapsedTimer clock;
        clock.start();
        Answer answers[4];
        store.check(this, answers[0].done());
        store.write(key(), secret(), this, answers[1].done());
        store.read(key(), this, answers[2].read());
        store.remove(key(), this, answers[3].done());
        for (Answer& answer : answers) {
            QTRY_COMPARE_WITH_TIMEOUT(answer.calls, 1, 2 * KeychainSecretStore::patienceMs);
            QVERIFY(!answer.good);
            QVERIFY(!errorText(answer.error).isEmpty());
            QVERIFY(!errorText(answer.error).contains(secret()));
        }
        QVERIFY(clock.elapsed() < 2 * KeychainSecretStore::patienceMs);
        for (const Answer& answer : answers)
            QCOMPARE(answer.calls, 1);
    }

    void aMissingPluginIsAMissingKeyring()
    {
        const auto store = openKeyring({QStringLiteral("/nowhere")});
        Answer checked;
        Answer read;
        store->check(this, checked.done());
        store->read(key(), this, read.read());
        QTRY_COMPARE(read.calls, 1);
        QVERIFY(!checked.good && !read.good);
        QCOMPARE(read.error.code, ErrorCode::NotInstalled);
    }
};

LK_TEST(TestSecretStore);
#include "tst_secretstore.moc"
