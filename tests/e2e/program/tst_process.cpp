// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/faultserver.h"
#include "tests/support/testprogram.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

// No secret is visible to other processes of the machine while the program runs: in its arguments,
// in the environment it was started with, or in its memory.
class TestProcess : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_server.answer("AUTH", QByteArray()); // never answers: the program stays and can be read
        m_server.answer("PING", QByteArray());
        m_server.answer("HELLO", QByteArray());
        m_server.answer("INFO", QByteArray());
        m_server.answer("CLIENT", QByteArray());
        m_host = u"127.0.0.1:%1"_s.arg(m_server.url().port);
    }

    void showsNoSecretInItsArguments_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("shown"); // stays: which server, and what is done
        const QString plain = u"redis://"_s + m_host;
        QTest::newRow("address") << QStringList{u"snapshot"_s, u"redis://ann:my-S3CRET@"_s + m_host}
                                 << QByteArray("redis://ann:");
        QTest::newRow("no user") << QStringList{u"snapshot"_s, u"redis://:my-S3CRET@"_s + m_host}
                                 << m_host.toLatin1();
        QTest::newRow("console") << QStringList{u"ann:my-S3CRET@"_s + m_host} << m_host.toLatin1();
        QTest::newRow("after an option")
            << QStringList{plain, u"--environment=redis://ann:my-S3CRET@h"_s}
            << QByteArray("--environment=redis://ann:");
        QTest::newRow("no scheme, after an option")
            << QStringList{plain, u"--environment=ann:my-S3CRET@h"_s}
            << QByteArray("--environment=ann:");
        QTest::newRow("no scheme, as an option's value")
            << QStringList{plain, u"--environment"_s, u"ann:my-S3CRET@h:6379"_s}
            << QByteArray("ann:");
        QTest::newRow("no scheme, as a word")
            << QStringList{u"act"_s,     plain,  u"lock"_s,     u"release"_s, u"ann:my-S3CRET@h"_s,
                           u"--owner"_s, u"x"_s, u"--dry-run"_s}
            << QByteArray("release");
        QTest::newRow("of the Sentinels")
            << QStringList{plain, u"--environment=redis-sentinel://h/m?sentinel_password="
                                  "my-S3CRET&name=x"_s}
            << QByteArray("--environment=redis-sentinel://h/m?sentinel_password=");
        QTest::newRow("@ in the password") << QStringList{plain, u"--environment=ann:S3@CRET@h"_s}
                                           << QByteArray("--environment=ann:");
        QTest::newRow("owner") << QStringList{u"act"_s,     plain,         u"lock"_s,
                                              u"release"_s, u"lock:a"_s,   u"--owner"_s,
                                              u"S3CRET"_s,  u"--dry-run"_s}
                               << QByteArray("lock:a");
        QTest::newRow("owner in one word")
            << QStringList{u"act"_s,      plain,       u"lock"_s,
                           u"release"_s,  u"lock:a"_s, u"--owner=S3CRET"_s,
                           u"--dry-run"_s}
            << QByteArray("--owner=");
        QTest::newRow("payload") << QStringList{u"act"_s,    plain,         u"queue"_s,
                                                u"push"_s,   u"jobs"_s,     u"--payload"_s,
                                                u"S3CRET"_s, u"--dry-run"_s}
                                 << QByteArray("jobs");
        QTest::newRow("a token's code")
            << QStringList{u"act"_s,      plain, u"token"_s, u"revoke"_s, u"code:S3CRET9a8b7c"_s,
                           u"--dry-run"_s}
            << QByteArray("code:");
    }
    void showsNoSecretInItsArguments()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, shown);
        Program program;
        program.set("QT_QPA_PLATFORM", u"offscreen"_s); // of those that open the console
        const int before = m_server.connections();
        QVERIFY(program.start(arguments));
        QTRY_VERIFY2(m_server.connections() > before, program.err().constData());
        const QByteArray line = test::commandLine(program.process.processId());
        QVERIFY2(line.contains(shown), line.constData());
        QVERIFY2(!line.contains("S3CRET") && !line.contains("CRET"), line.constData());
    }

    void showsNoPasswordInItsEnvironment()
    {
        Program program;
        program.set("LOCKKEEPER_PASSWORD", u"my-S3CRET"_s);
        const int before = m_server.connections();
        QVERIFY(program.start({u"snapshot"_s, u"redis://"_s + m_host}));
        QTRY_VERIFY(m_server.connections() > before);
        QFile file(u"/proc/%1/environ"_s.arg(program.process.processId()));
        // Only root may read it, and it contains no secret for root either.
        const QByteArray environment =
            file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        QCOMPARE(environment.isEmpty(), ::geteuid() != 0);
        QVERIFY(!environment.contains("S3CRET"));
        // And yet it is used.
        QTRY_VERIFY(m_server.receivedCount("AUTH") > 0);
        const auto& all = m_server.received();
        QVERIFY(std::any_of(all.begin(), all.end(), [](const Command& c) {
            return c.args()[0] == "AUTH" && c.args().back() == "my-S3CRET";
        }));
    }

    void leavesNoCoreDump()
    {
        QTemporaryDir folder;
        const QByteArray url = "redis://" + m_host.toLatin1();
        if (!dumps({"/bin/sh", "-c", "kill -ABRT $$"}, folder.path(), [](pid_t) {}))
            QSKIP("no process can leave a core dump on this machine");
        const int before = m_server.connections();
        const bool dumped =
            dumps({LOCKKEEPER_PROGRAM, "snapshot", url.constData()}, folder.path(), [&](pid_t pid) {
                QTRY_VERIFY(m_server.connections() > before);
                ::kill(pid, SIGABRT);
            });
        QVERIFY(!dumped);
    }

private:
    /// Whether a process that may leave as large a dump as it likes left one.
    template<typename During>
    static bool dumps(std::vector<const char*> words, const QString& folder, During during)
    {
        words.push_back(nullptr);
        const QByteArray place = folder.toLocal8Bit();
        const pid_t pid = ::fork();
        if (pid == 0) {
            const rlimit endless{RLIM_INFINITY, RLIM_INFINITY};
            ::setrlimit(RLIMIT_CORE, &endless);
            if (::chdir(place.constData()) == 0)
                ::execv(words[0], const_cast<char* const*>(words.data()));
            ::_exit(127);
        }
        during(pid);
        int status = 0;
        while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        return WIFSIGNALED(status) && WCOREDUMP(status);
    }

    test::FaultServer m_server;
    QString m_host;
};

LK_TEST(TestProcess);
#include "tst_process.moc"
