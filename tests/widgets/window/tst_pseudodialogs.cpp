// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/secrets/secretstore.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/pseudolocale.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/actions/dialog/autorequeuedialog.h"
#include "widgets/alerts/quietdialog.h"
#include "widgets/alerts/ruledialog.h"
#include "widgets/alerts/silencedialog.h"
#include "widgets/declare/possibledialog.h"
#include "widgets/declare/recordingdialog.h"
#include "widgets/dialogs/connectiondialog.h"
#include "widgets/dialogs/passworddialog.h"
#include "widgets/dialogs/recentservers.h"

#include <QSettings>
#include <QTemporaryDir>

using namespace lk;
using namespace Qt::StringLiterals;
using test::ConsoleWindow;

/// Dialogs with texts 40 % longer, from either side.
class TestPseudoDialogs : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        test::fillWithSamples(m_server);
        QVERIFY(QCoreApplication::installTranslator(&m_pseudo));
        m_console =
            std::make_unique<ConsoleWindow>(test::setupFor(m_server.url(), test::sampleConfig));
        QVERIFY(m_console->waitForScan(test::sampleCount));
    }
    void cleanupTestCase() { m_console.reset(); }
    void cleanup() { QApplication::setLayoutDirection(Qt::LeftToRight); }

    void nothingIsClipped_data()
    {
        QTest::addColumn<QByteArray>("dialog");
        for (const char* dialog : {"connect", "password", "plan", "auto-requeue", "rule", "quiet",
                                   "silence", "recording", "possible", "search", "help"})
            QTest::newRow(dialog) << QByteArray(dialog);
    }
    void nothingIsClipped();

private:
    StatePtr stateOf(const QByteArray& name)
    {
        for (const auto& [handle, kept] : m_console->session().states().all()) {
            const StatePtr state = kept.state();
            if (state->primitive->id.name == name)
                return state;
        }
        return nullptr;
    }
    /// The widget that opens it; null if a key of the window does.
    QWidget* made(const QByteArray& name);

    test::PseudoTranslator m_pseudo;
    test::RedisServer m_server;
    QTemporaryDir m_folder;
    QSettings m_settings{m_folder.filePath(u"s.ini"_s), QSettings::IniFormat};
    RecentServers m_recent{m_settings};
    MemorySecretStore m_secrets;
    std::unique_ptr<ConsoleWindow> m_console;
};

QWidget* TestPseudoDialogs::made(const QByteArray& name)
{
    Session* session = &m_console->session();
    QWidget* window = &m_console->window;
    if (name == "connect")
        return new ConnectionDialog(m_recent, m_secrets, window);
    if (name == "password")
        return new PasswordDialog(m_server.url(), u"orders-eu"_s, Error{ErrorCode::NoAuth, {}},
                                  m_secrets, window);
    if (name == "plan")
        return ActionDialog::open(session,
                                  {findAction(*findLayout("set-nx-px"), "lock.release"),
                                   {stateOf("lock:one")},
                                   {},
                                   {},
                                   {}},
                                  window);
    if (name == "auto-requeue")
        return AutoRequeueDialog::open(session, stateOf("jobs")->primitive, window);
    if (name == "rule")
        return RuleDialog::open(session, window);
    if (name == "quiet")
        return QuietDialog::open(session, window);
    if (name == "silence") {
        auto alert = std::make_shared<Alert>();
        alert->rule = "queue-stuck";
        alert->name = "jobs";
        alert->primitive = stateOf("jobs")->primitive->id;
        alert->text = u"2 jobs are stuck"_s;
        return new SilenceDialog(alert, 1'700'000'000'000, window);
    }
    if (name == "recording")
        return RecordingDialog::open(session, window);
    if (name == "possible")
        return PossibleDialog::open(session, Kind::Limiter, window);
    return nullptr;
}

void TestPseudoDialogs::nothingIsClipped()
{
    QFETCH(QByteArray, dialog);
    m_console->window.showBoard(test::Locks);
    QVERIFY(test::waitUntil([&] { return m_console->rowOf(test::Locks, u"lock:one"_s) >= 0; }));
    m_console->clickRow(test::Locks, u"lock:one"_s);
    QWidget* opened = made(dialog);
    if (opened)
        opened->show();
    else if (dialog == "search")
        m_console->press(Qt::Key_K, Qt::ControlModifier);
    else
        m_console->press(Qt::Key_F1);
    const auto isOpen = [&] {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (!opened && qobject_cast<QDialog*>(widget) && widget->isVisible())
                opened = widget;
        }
        return opened && opened->isVisible();
    };
    QVERIFY(test::waitUntil(isOpen));
    for (const Qt::LayoutDirection direction : {Qt::LeftToRight, Qt::RightToLeft}) {
        QApplication::setLayoutDirection(direction);
        QStringList clipped;
        (void)test::waitUntil( // the reply of the server comes meanwhile
            [&] { return (clipped = test::clippedIn(*opened)).isEmpty(); }, 3000);
        test::shoot(*opened,
                    u"pseudo-%1-%2"_s.arg(QString::fromLatin1(dialog),
                                          direction == Qt::LeftToRight ? u"ltr"_s : u"rtl"_s));
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(u'\n')));
    }
    opened->close();
    delete opened;
}

LK_WIDGET_TEST(TestPseudoDialogs);
#include "tst_pseudodialogs.moc"
