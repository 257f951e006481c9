// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/writemode/writemode.h"

#include "backend/core/names/environment.h"
#include "backend/session/masterelsewhere.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/text/time/duration.h"
#include "widgets/actions/typednamedialog.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"

#include <QDateTime>
#include <QMenu>

namespace lk {

namespace {

struct Length
{
    int minutes;
    const char* title;
};
constexpr Length lengths[] = {
    {5, QT_TRANSLATE_NOOP("lk::WriteModeButton", "Write mode for &5 minutes")},
    {15, QT_TRANSLATE_NOOP("lk::WriteModeButton", "Write mode for &15 minutes")},
    {60, QT_TRANSLATE_NOOP("lk::WriteModeButton", "Write mode for 1 &hour")}};

void turnOnFor(Session* session, qint64 ms, QWidget* window)
{
    if (!isProduction(session->environment()))
        return session->acting().enableWriteMode(ms);
    auto* dialog = new TypedNameDialog(session->name(), window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, session,
                     [session, ms] { session->acting().enableWriteMode(ms); });
    dialog->open();
}

// Whole seconds, rounded up: it never says 0 while it still is on.
QString leftText(const Session& session)
{
    const qint64 left = session.acting().writeModeUntilMs() - QDateTime::currentMSecsSinceEpoch();
    return formatDuration(std::max<qint64>(1, (left + 999) / 1000) * 1000);
}

// Else an ampersand would be a key, and not be seen.
QString escapedMnemonic(QString text)
{
    return text.replace(u'&', QLatin1String("&&"));
}

} // namespace

void addWriteModeTo(QMenu* menu, Session* session, QWidget* window)
{
    const bool ready = session->status().phase == ConnectionStatus::Phase::Ready;
    const bool replica = session->info().isReplica();
    for (const Length& length : lengths) {
        QAction* action = menu->addAction(WriteModeButton::tr(length.title));
        const qint64 ms = length.minutes * 60'000LL;
        QObject::connect(
            action, &QAction::triggered, session,
            [session, ms, window = QPointer<QWidget>(window)] { turnOnFor(session, ms, window); });
        if (session->acting().canAct() && ready && !replica)
            continue;
        action->setEnabled(false);
        action->setToolTip(
            !session->acting().canAct()
                ? WriteModeButton::tr("This session has no journal, so it is "
                                      "read-only")
            : !ready ? WriteModeButton::tr("The server is not connected")
                     : WriteModeButton::tr("This is a replica: run actions on its master"));
    }
    menu->setToolTipsVisible(true);
}

WriteModeButton::WriteModeButton(QWidget* parent)
    : QToolButton(parent)
    , m_menu(new QMenu(this))
{
    setObjectName(QStringLiteral("writeModeButton"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setPopupMode(InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    setMenu(m_menu);
    m_second.setInterval(500);
    connect(&m_second, &QTimer::timeout, this, &WriteModeButton::refresh);
    connect(m_menu, &QMenu::aboutToShow, this, &WriteModeButton::fillMenu);
    refresh();
    onPaletteChange(this, [this] { refresh(); });
}

void WriteModeButton::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    if (m_session)
        connect(&m_session->acting(), &SessionActing::writeModeChanged, this,
                &WriteModeButton::refresh);
    m_dressed = -1;
    refresh();
}

void WriteModeButton::setPast(bool past)
{
    m_past = past;
    setEnabled(!past);
    m_dressed = -1;
    refresh();
}

void WriteModeButton::fillMenu()
{
    m_menu->clear();
    if (!m_session)
        return;
    if (m_session->acting().isWriteModeOn()) {
        m_menu->addAction(lk::icon(QStringLiteral("lock"), palette()), tr("Turn &off write mode"),
                          &m_session->acting(), &SessionActing::disableWriteMode);
        m_menu->addSeparator();
    }
    addWriteModeTo(m_menu, m_session, window());
    if (const QString master = masterElsewhere(*m_session); !master.isEmpty()) {
        m_menu->addSeparator();
        m_menu->addAction(lk::icon(QStringLiteral("connect"), palette()),
                          tr("&Connect to its master %1").arg(escapedMnemonic(master)), this,
                          [this, master] { emit masterWanted(master); });
    }
    if (isAloneOfCluster(*m_session)) {
        m_menu->addSeparator();
        m_menu->addAction(lk::icon(QStringLiteral("connect"), palette()), tr("&Open the cluster"),
                          this, [this] { emit masterWanted({}); });
    }
}

void WriteModeButton::refresh()
{
    const bool writing = m_session && m_session->acting().isWriteModeOn() && !m_past;
    if (writing)
        m_second.start();
    else
        m_second.stop();
    setText(writing  ? tr("Write mode, %1").arg(leftText(*m_session))
            : m_past ? tr("Actions are off")
                     : tr("Read-only"));
    setAccessibleName(text());
    // It does not jump while it counts down.
    setMinimumWidth(writing ? std::max(minimumWidth(), sizeHint().width()) : 0);
    const int dress = (writing ? 1 : 0) + (isDark(palette()) ? 2 : 0);
    if (m_dressed == dress)
        return;
    m_dressed = dress;
    const ThemeColors& colors = themeColors(palette());
    const ColorRole role = m_session && isProduction(m_session->environment()) ? ColorRole::Danger
                                                                               : ColorRole::Warning;
    setIcon(writing ? lk::icon(QStringLiteral("unlock"), role, palette())
                    : lk::icon(QStringLiteral("lock"), palette()));
    QFont bold = font();
    bold.setWeight(writing ? QFont::DemiBold : QFont::Normal);
    setFont(bold);
    QPalette own;
    if (writing)
        own.setColor(QPalette::ButtonText, colors.of(role));
    setPalette(own);
    setToolTip(m_past ? tr("This is the past: nothing can be changed. Go back to live first "
                           "(Ctrl+Shift+T).")
               : writing
                   ? tr("This session can change the server. Ctrl+Shift+R turns write mode off.")
                   : tr("This session only reads. Turn on write mode to change the server "
                        "(Ctrl+E)"));
}

} // namespace lk
