// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/console.h"
#include "backend/history/historypath.h"
#include "backend/history/recordqueries.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/sessionhistory.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/timetravel/timebar.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace lk;
using test::ConsoleWindow;

namespace {

constexpr int patienceMs = 30'000;

/// A folder without write access, even for root. It applies to threads that start afterwards.
class SealedFolder
{
public:
    explicit SealedFolder(const QString& path)
        : m_path(QFile::encodeName(path))
    {
        const char* place = m_path.constData();
        if (::geteuid() != 0)
            m_sealed = ::chmod(place, 0500) == 0;
        else
            m_sealed =
                ::unshare(CLONE_NEWNS) == 0 &&
                ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                ::mount(place, place, nullptr, MS_BIND, nullptr) == 0 &&
                ::mount("none", place, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }
    ~SealedFolder()
    {
        if (::geteuid() == 0)
            ::umount2(m_path.constData(), MNT_DETACH);
        else
            ::chmod(m_path.constData(), 0700);
    }
    bool isSealed() const { return m_sealed; }

private:
    QByteArray m_path;
    bool m_sealed = false;
};

} // namespace

/// A console that is given another recording than its own: one that it may write to, and the copy
/// of what a service has recorded, which it may only read.
class TestGivenStore : public QObject
{
    Q_OBJECT

public:
    static void initMain()
    {
        static const QTemporaryDir home;
        for (const char* name :
             {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
            qputenv(name, home.path().toUtf8());
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus"); // no keyring
    }

private slots:
    void initTestCase()
    {
        QVERIFY2(m_server.start(), m_server.output());
        m_server.line("SET lock:one owner-1 NX PX 600000");
    }
    void whatIsWritableIsContinued();
    void whatIsNotIsShown();

private:
    QString store() const { return m_folder.filePath(QStringLiteral("incident.db")); }
    std::unique_ptr<Console> opened()
    {
        ConsoleInvocation invocation;
        invocation.url = m_server.url();
        invocation.storeFile = store();
        auto console = std::make_unique<Console>(*qApp);
        console->window().show();
        console->start(invocation);
        return console;
    }
    QByteArray digest() const
    {
        QFile file(store());
        QCryptographicHash hash(QCryptographicHash::Sha256);
        return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result() : QByteArray();
    }

    test::RedisServer m_server;
    QTemporaryDir m_folder;
};

void TestGivenStore::whatIsWritableIsContinued()
{
    const auto console = opened();
    const auto recorder = [&] { return recorderOf(*console->session()); };
    QTRY_VERIFY_WITH_TIMEOUT(recorder() && recorder()->status().here, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(recorder()->status().size.path, store(), patienceMs);
    QVERIFY(!QFile::exists(historyPath()));
    QTRY_VERIFY_WITH_TIMEOUT(console->session()->history(), patienceMs);
    const qint64 nowMs = console->session()->serverNowMs();
    QTRY_VERIFY_WITH_TIMEOUT(console->session()->history()->lastMs() > nowMs + 1000, patienceMs);
}

void TestGivenStore::whatIsNotIsShown()
{
    QVERIFY(QFile::setPermissions(store(), QFileDevice::ReadOwner));
    const SealedFolder sealed(m_folder.path());
    if (!sealed.isSealed())
        QSKIP("no mount may be made here");
    const QByteArray before = digest();
    QVERIFY(!before.isEmpty());
    {
        const auto console = opened();
        QTRY_VERIFY_WITH_TIMEOUT(console->session() && console->session()->history(), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(console->session()->history()->firstMs() > 0, patienceMs);
        QVERIFY(!recorderOf(*console->session()));
        const auto* bar = console->window().findChild<TimeBar*>();
        QTRY_VERIFY_WITH_TIMEOUT(bar && bar->isVisible(), patienceMs);
        QVERIFY2(ConsoleWindow::texts(console->window())
                     .contains(store() + QStringLiteral(" is not writable: it is shown, and "
                                                        "nothing is recorded.")),
                 qPrintable(ConsoleWindow::texts(console->window())));
    }
    QCOMPARE(digest(), before);
    RecordQueries queries(store());
    QVERIFY(queries.open());
    QCOMPARE(queries.deployments().size(), 1U);
}

LK_WIDGET_TEST(TestGivenStore);
#include "tst_givenstore.moc"
