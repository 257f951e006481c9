// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/jobpanel.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionjobs.h"
#include "backend/text/errortext.h"
#include "backend/text/jobstatetitle.h"
#include "backend/text/time/duration.h"
#include "widgets/actions/actionbar.h"
#include "widgets/detail/jobs/dialog/jobdialog.h"
#include "widgets/detail/jobs/jobsearchbar.h"
#include "widgets/detail/jobs/jobstatebar.h"
#include "widgets/detail/jobs/jobtable.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 toldAgeMs = 3000;  // a younger age is not shown
constexpr qint64 pageJobs = 60;     // that are read at a time
constexpr qint64 before = 20;       // of them before the first row that is seen
constexpr int jobPanelPauseMs = 40; // while rows are scrolled through

// Jobs are read less often than they are counted, the more rarely the heavier they are.
QString readText(const State& state)
{
    if (!state.payloads->asOfMs)
        return state.problem ? QString() : JobPanel::tr("not read yet");
    const qint64 ageMs = state.asOfMs - *state.payloads->asOfMs;
    return ageMs < toldAgeMs ? QString() : JobPanel::tr("read %1 ago").arg(formatDuration(ageMs));
}

QString notRecordedText()
{
    return JobPanel::tr("The recording counts jobs; it does not keep them");
}

} // namespace

JobPanel::JobPanel(QWidget* parent)
    : QWidget(parent)
    , m_bar(new JobStateBar)
    , m_search(new JobSearchBar)
    , m_caption(new QLabel)
    , m_wide(new QToolButton)
    , m_act(new QToolButton)
    , m_table(new JobTable)
{
    setAccessibleName(tr("Jobs"));
    m_caption->setFont(uiFont(TextSize::Caption));
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_caption->setWordWrap(true); // beside its buttons there is little room
    buildButtons();
    auto* row = rowOf(8, {{m_caption, 1}, m_act, m_wide});
    columnIn(this, {}, 4, {m_bar, m_search, row, {m_table, 1}});
    m_table->installEventFilter(this);
    m_seen.setSingleShot(true);
    m_seen.setInterval(jobPanelPauseMs);
    connect(&m_seen, &QTimer::timeout, this, &JobPanel::wantWhatIsSeen);
    connect(m_table, &JobTable::rowsSeenChanged, &m_seen, qOverload<>(&QTimer::start));
    connect(m_table, &JobTable::chosenChanged, this, &JobPanel::updateCaption,
            Qt::QueuedConnection);
    connect(m_table, &QWidget::customContextMenuRequested, this, &JobPanel::showMenu);
    connect(m_table, &QTableView::doubleClicked, this, &JobPanel::openCurrent);
    connect(m_bar, &JobStateBar::chosen, this, &JobPanel::chooseState);
    connect(m_search, &JobSearchBar::wanted, this, &JobPanel::search);
    connect(m_search, &JobSearchBar::moreWanted, this, [this] {
        if (m_session)
            m_session->jobs().searchMore();
    });
}

void JobPanel::buildButtons()
{
    for (QToolButton* button : {m_act, m_wide}) {
        button->setFont(uiFont(TextSize::Caption));
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    m_act->setObjectName(QStringLiteral("jobActions"));
    m_act->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_act);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(menu); });
    m_act->setMenu(menu);
    m_wide->setObjectName(QStringLiteral("openJobs"));
    connect(m_wide, &QToolButton::clicked, this, [this] { emit wideWanted(!m_isWide); });
    setWide(false);
}

void JobPanel::setWide(bool wide)
{
    m_isWide = wide;
    m_table->setFilling(wide);
    m_wide->setText(wide ? tr("Back to the queues") : tr("Open jobs"));
    m_wide->setToolTip(wide ? tr("Shows the other queues again (Esc)")
                            : tr("Shows the jobs of this queue in the whole window (Return)"));
    if (wide)
        m_table->setFocus();
}

void JobPanel::showMatching(JobRole role, const QString& text)
{
    const auto it = std::find_if(m_states.begin(), m_states.end(),
                                 [role](const JobState& s) { return s.role == role; });
    if (it == m_states.end())
        return;
    m_state = it->name;
    m_search->setText(text);
}

void JobPanel::begin(Session& session, Handle handle)
{
    if (m_session != &session) {
        if (m_session)
            m_session->disconnectAll(this);
        m_session = &session;
        connect(&m_session->jobs(), &SessionJobs::pageChanged, this, &JobPanel::showJobs);
        connect(&m_session->jobs(), &SessionJobs::foundChanged, this, &JobPanel::showJobs);
    }
    if (m_handle != handle) {
        m_search->clear();
        m_session->jobs().search(noHandle, {}, {});
    }
    m_handle = handle;
    m_wanted = {};
    m_shown.reset();
    m_table->setJobs({}, {}, {});
}

const JobState* JobPanel::shownState() const
{
    const auto it = std::find_if(m_states.begin(), m_states.end(),
                                 [&](const JobState& s) { return s.name == m_state; });
    return it == m_states.end() ? nullptr : &*it;
}

void JobPanel::showState(const State& state)
{
    const auto* queue = state.as<QueueState>();
    if (!queue || !m_session)
        return;
    m_shown = std::make_shared<const State>(state);
    m_states = queue->states;
    m_bar->setStates(m_states);
    if (!shownState() && !m_states.empty()) {
        const auto busy = std::find_if(m_states.begin(), m_states.end(), [](const JobState& s) {
            return s.role == JobRole::Processing;
        });
        m_state = (busy != m_states.end() ? *busy : m_states.front()).name;
    }
    showJobs();
}

void JobPanel::chooseState(const QByteArray& name)
{
    m_state = name;
    if (isSearching())
        search(m_search->text());
    showJobs();
}

bool JobPanel::isSearching() const
{
    return !m_search->text().trimmed().isEmpty();
}

void JobPanel::search(const QString& text)
{
    if (!m_session)
        return;
    m_session->jobs().search(m_handle, m_state, text);
    showJobs();
}

// Few jobs in progress come with the queue's state, as often as it is read.
bool JobPanel::showsOwn(const QueueState& queue) const
{
    const JobState* shown = shownState();
    return shown && shown->role == JobRole::Processing &&
           (!queue.itemsTruncated || queue.items.empty());
}

void JobPanel::showJobs()
{
    const JobState* chosen = shownState();
    const auto* queue = m_shown ? m_shown->as<QueueState>() : nullptr;
    if (!m_session || !chosen || !queue)
        return;
    m_bar->setCurrent(chosen->name);
    const JobsFoundPtr found = isSearching() ? m_session->jobs().found() : nullptr;
    m_search->showFound(found);
    m_table->setAccessibleName(tr("Jobs: %1").arg(jobStateTitle(*chosen)));
    if (found)
        showFound(*found);
    else if (showsOwn(*queue))
        showOwn(*queue);
    else
        showPaged(*queue);
    updateCaption();
}

void JobPanel::showFound(const JobsFound& found)
{
    const auto& queue = m_shown->body.get<QueueState>();
    m_session->jobs().want(m_handle, {});
    m_wanted = {};
    m_table->setJobs(
        QByteArrayLiteral("?") + found.state + '?' + found.text.toUtf8(),
        {shownState()->role, m_shown->asOfMs, queue.stuckAfterMs, queue.stuckByLibrary}, found.jobs,
        found.places);
    m_table->setEmptyText(found.underWay ? tr("Searching\u2026") : tr("No job found"));
}

void JobPanel::showOwn(const QueueState& queue)
{
    m_session->jobs().want(m_handle, {});
    m_wanted = {};
    // A job that was not read again does not grow older.
    const qint64 nowMs = m_shown->payloads->asOfMs.value_or(m_shown->asOfMs);
    m_table->setJobs(m_state,
                     {JobRole::Processing, nowMs, queue.stuckAfterMs, queue.stuckByLibrary},
                     queue.items);
    m_table->setEmptyText(m_shown->problem      ? errorText(*m_shown->problem)
                          : m_session->isPast() ? notRecordedText()
                          : queue.processing == 0
                              ? tr("%1: no jobs").arg(jobStateTitle(*shownState()))
                          : m_shown->payloads->asOfMs ? tr("Too large to list")
                                                      : tr("Reading\u2026"));
}

void JobPanel::showPaged(const QueueState& queue)
{
    const JobState& chosen = *shownState();
    if (m_wanted.state != m_state) {
        m_wanted = {m_state, 0, pageJobs};
        m_unreadable = false;
        m_session->jobs().want(m_handle, m_wanted);
    }
    const JobPagePtr read = m_session->jobs().page();
    JobPage page = read ? *read : JobPage{};
    // The start of a job may be known only from when it was first seen.
    for (QueueJob& job : page.jobs) {
        const auto seen =
            std::find_if(queue.items.begin(), queue.items.end(),
                         [&](const QueueJob& item) { return item.fingerprint == job.fingerprint; });
        if (seen != queue.items.end())
            job.firstSeenMs = seen->firstSeenMs;
    }
    m_unreadable =
        read && (page.problem || (page.jobs.empty() && page.offset < chosen.count.value_or(0)));
    const qint64 total = m_unreadable && page.offset == 0 ? 0 : chosen.count.value_or(0);
    m_table->setPage(m_state,
                     {chosen.role, m_shown->asOfMs, queue.stuckAfterMs, queue.stuckByLibrary},
                     read ? total : 0, page);
    m_table->setEmptyText(m_shown->problem                           ? errorText(*m_shown->problem)
                          : m_session->isPast() && chosen.count != 0 ? notRecordedText()
                          : page.problem                             ? errorText(*page.problem)
                          : chosen.count == 0 ? tr("%1: no jobs").arg(jobStateTitle(chosen))
                          : read              ? tr("Too large to list")
                                              : tr("Reading\u2026"));
    if (read)
        m_seen.start();
}

// Asks for the jobs that are on screen and not yet read, and some around them.
void JobPanel::wantWhatIsSeen()
{
    if (!m_session || m_wanted.state.isEmpty() || m_wanted.state != m_state)
        return;
    const JobPagePtr read = m_session->jobs().page();
    if (!read || m_unreadable)
        return;
    const int missing =
        m_table->jobs().firstUnread(m_table->firstRowSeen(), m_table->lastRowSeen());
    if (missing < 0)
        return;
    // From its own place on where the page before ended there: jobs may be too heavy for more.
    const bool follows = missing == read->offset + qint64(read->jobs.size());
    const JobQuery next{m_state, follows ? missing : std::max<qint64>(0, missing - before),
                        pageJobs};
    if (next == m_wanted)
        return;
    m_wanted = next;
    m_session->jobs().want(m_handle, m_wanted);
}

void JobPanel::updateCaption()
{
    const JobState* state = shownState();
    const auto* queue = m_shown ? m_shown->as<QueueState>() : nullptr;
    if (!state || !queue)
        return;
    QStringList parts;
    if (state->role == JobRole::Processing) {
        if (!queue->stuckByLibrary)
            parts << tr("stuck after %1").arg(formatDuration(queue->stuckAfterMs));
        parts << (m_session->isPast() ? tr("no payloads") : readText(*m_shown));
    } else if (state->role == JobRole::Ready && state->count.value_or(0) > 1) {
        parts << tr("next first");
    }
    parts.removeAll(QString());
    const int chosen = m_table->chosen().count;
    if (chosen > 0)
        parts << tr("%Ln selected", nullptr, chosen);
    m_caption->setText(parts.join(QStringLiteral(" \u00b7 ")));
    m_act->setText(tr("Selected jobs"));
    m_act->setVisible(!m_session->isPast()); // actions are off
    m_act->setEnabled(chosen > 0);
    m_act->setToolTip(chosen > 0 ? tr("Actions for the selected jobs") : tr("Select jobs first"));
}

JobChoice JobPanel::chosen() const
{
    JobChoice choice = m_table->chosen();
    if (!choice.given.empty())
        choice.given.insert({"state", m_state});
    return choice;
}

// The queue's actions that take jobs of this state.
std::vector<ActionOffer> JobPanel::offers() const
{
    const JobState* shown = shownState();
    const JobChoice choice = m_table->chosen();
    std::vector<ActionOffer> all;
    if (!shown || !m_shown || choice.count == 0)
        return all;
    for (ActionOffer& offer :
         offersFor({m_shown}, m_session ? m_session->acting().limits() : ServerLimits())) {
        if (!takesJobs(*offer.action, shown->role))
            continue;
        offer.text = tr("%1 (%2)\u2026").arg(offer.action->title()).arg(choice.count);
        if (choice.inSeveralKeys && choice.given.empty())
            offer.whyNot = tr("the selected jobs are in several lists; select jobs of one list");
        all.push_back(std::move(offer));
    }
    return all;
}

void JobPanel::fillMenu(QMenu* menu)
{
    menu->clear();
    const QueueJob* current = m_table->current();
    const bool named = current && !current->facts.id.isEmpty();
    QAction* view =
        menu->addAction(named ? tr("Open job") : tr("View payload"), this, &JobPanel::openCurrent);
    view->setShortcut(Qt::Key_Return);
    view->setShortcutContext(Qt::WidgetShortcut);
    view->setEnabled(current);
    menu->addSeparator();
    addOffersTo(menu, offers(), this, [this](const Action* action) { emit actionChosen(action); });
}

void JobPanel::showMenu(const QPoint& at)
{
    if (m_table->chosen().count == 0 || !m_session)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(menu);
    // By key it opens at the current row.
    const QRect row = m_table->visualRect(m_table->currentIndex());
    const bool onRow = m_table->indexAt(at).isValid();
    menu->popup(m_table->viewport()->mapToGlobal(onRow || !row.isValid() ? at : row.bottomLeft()));
}

void JobPanel::discard()
{
    for (const ActionOffer& offer : offers()) {
        if (offer.action->removes() && offer.whyNot.isEmpty())
            return emit actionChosen(offer.action);
    }
}

// The page that it stands in, as far as it can have moved by now.
JobQuery JobPanel::pageOf(int row) const
{
    constexpr qint64 around = 25;
    return {m_state, std::max<qint64>(0, m_table->jobs().place(row) - around), 2 * around + 1};
}

void JobPanel::openCurrent()
{
    const QueueJob* job = m_table->current();
    const JobState* shown = shownState();
    if (!job || !shown || !m_session || !m_shown)
        return;
    auto* dialog = JobDialog::open(
        {m_session, m_handle, m_shown, *shown, *job, pageOf(m_table->currentIndex().row())}, this);
    connect(dialog, &JobDialog::searchWanted, m_search, &JobSearchBar::setText);
}

bool JobPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain =
            key->modifiers() == Qt::NoModifier || key->modifiers() == Qt::KeypadModifier;
        if (plain && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            openCurrent();
            return true;
        }
        if (plain && key->key() == Qt::Key_Delete) {
            discard();
            return true;
        }
        if (plain && key->key() == Qt::Key_Escape && m_isWide) {
            emit wideWanted(false);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lk
