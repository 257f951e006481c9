// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobpanel.h"

#include "backend/core/keyname.h"
#include "backend/layouts/layout.h"
#include "backend/session/session.h"
#include "backend/text/duration.h"
#include "backend/text/errortext.h"
#include "widgets/actions/actionbar.h"
#include "widgets/detail/itemtable.h"
#include "widgets/detail/payloaddialog.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 toldAgeMs = 3000; // what was read just now is not spoken of

// Jobs are read less often than they are counted, the more rarely the heavier they are.
QString readText(const State& state)
{
    if (!state.payloads.asOfMs)
        return state.problem ? QString() : JobPanel::tr("not read yet");
    const qint64 ageMs = state.asOfMs - *state.payloads.asOfMs;
    return ageMs < toldAgeMs ? QString() : JobPanel::tr("read %1 ago").arg(formatDuration(ageMs));
}

} // namespace

JobPanel::JobPanel(QWidget* parent)
    : QWidget(parent)
    , m_buttons(new QButtonGroup(this))
    , m_grid(new QGridLayout)
    , m_caption(new QLabel)
    , m_act(new QToolButton)
    , m_table(new ItemTable)
{
    setAccessibleName(tr("Jobs"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(2);
    m_grid->setVerticalSpacing(2);
    m_caption->setFont(uiFont(TextSize::Caption));
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_act->setObjectName(QStringLiteral("jobActions"));
    m_act->setFont(uiFont(TextSize::Caption));
    m_act->setAutoRaise(true);
    m_act->setPopupMode(QToolButton::InstantPopup);
    m_act->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(m_act);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(menu); });
    m_act->setMenu(menu);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_caption, 1);
    row->addWidget(m_act);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_grid);
    layout->addLayout(row);
    layout->addWidget(m_table);
    m_table->installEventFilter(this);
    connect(m_table, &ItemTable::chosenChanged, this, &JobPanel::showJobs, Qt::QueuedConnection);
    connect(m_table, &QWidget::customContextMenuRequested, this, &JobPanel::showMenu);
    connect(m_table, &QTableView::doubleClicked, this, &JobPanel::openCurrent);
}

void JobPanel::begin(Session& session, Handle handle)
{
    if (m_session != &session) {
        if (m_session)
            m_session->disconnect(this);
        m_session = &session;
        connect(m_session, &Session::jobsChanged, this, &JobPanel::showJobs);
    }
    m_handle = handle;
    m_shown.reset();
    m_table->setItems({}, {}, 0, 0);
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
    setStates(queue->states);
    if (!shownState() && !m_states.empty()) {
        const auto busy = std::find_if(m_states.begin(), m_states.end(), [](const JobState& s) {
            return s.role == JobRole::Processing;
        });
        m_state = (busy != m_states.end() ? *busy : m_states.front()).name;
    }
    showJobs();
}

void JobPanel::setStates(const std::vector<JobState>& states)
{
    const bool same =
        std::equal(states.begin(), states.end(), m_states.begin(), m_states.end(),
                   [](const JobState& a, const JobState& b) { return a.name == b.name; });
    m_states = states;
    if (!same) {
        for (QAbstractButton* button : m_buttons->buttons())
            delete button;
        for (size_t i = 0; i < states.size(); ++i) {
            auto* button = new QToolButton(this);
            button->setFont(uiFont(TextSize::Caption));
            button->setCheckable(true);
            button->setAutoRaise(true);
            button->setFocusPolicy(Qt::StrongFocus);
            button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
            m_buttons->addButton(button, int(i));
            connect(button, &QToolButton::clicked, this,
                    [this, name = states[i].name] { chooseState(name); });
        }
        m_columns = 0;
    }
    for (size_t i = 0; i < m_states.size(); ++i) {
        auto* button = static_cast<QToolButton*>(m_buttons->button(int(i)));
        const QString count =
            m_states[i].count ? QLocale().toString(*m_states[i].count) : QStringLiteral("\u2013");
        button->setText(QStringLiteral("%1 %2").arg(jobStateTitle(m_states[i]), count));
        button->setAccessibleName(tr("Show jobs: %1, %2").arg(jobStateTitle(m_states[i]), count));
    }
    placeButtons();
}

// Beside each other, or in two rows where that is too narrow.
void JobPanel::placeButtons()
{
    const QList<QAbstractButton*> all = m_buttons->buttons();
    int wanted = -m_grid->horizontalSpacing();
    for (const QAbstractButton* button : all)
        wanted += button->sizeHint().width() + m_grid->horizontalSpacing();
    const int count = int(m_states.size());
    const int columns = wanted <= width() ? count : (count + 1) / 2;
    if (columns == m_columns || count == 0)
        return;
    m_columns = columns;
    for (QAbstractButton* button : all)
        m_grid->removeWidget(button);
    for (int i = 0; i < count; ++i)
        m_grid->addWidget(m_buttons->button(i), i / columns, i % columns, Qt::AlignLeft);
    for (int column = 0; column < count; ++column)
        m_grid->setColumnStretch(column, 0);
    m_grid->setColumnStretch(columns, 1);
}

// Two rows of buttons are enough.
QSize JobPanel::minimumSizeHint() const
{
    int widest = 0;
    for (const QAbstractButton* button : m_buttons->buttons())
        widest = std::max(widest, button->sizeHint().width());
    return {2 * widest + m_grid->horizontalSpacing(), QWidget::minimumSizeHint().height()};
}

void JobPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeButtons();
}

void JobPanel::chooseState(const QByteArray& name)
{
    m_state = name;
    showJobs();
}

// What is in progress comes with the queue's state; the jobs of another one are asked for.
void JobPanel::showJobs()
{
    const JobState* chosen = shownState();
    const auto* queue = m_shown ? m_shown->as<QueueState>() : nullptr;
    if (!m_session || !chosen || !queue)
        return;
    m_buttons->button(int(chosen - m_states.data()))->setChecked(true);
    const bool own = chosen->role == JobRole::Processing;
    m_session->wantJobs(m_handle, own ? QByteArray() : m_state);
    const JobPagePtr list = own ? nullptr : m_session->jobs();
    static const std::vector<QueueItem> none;
    const std::vector<QueueItem>& jobs = own ? queue->items : list ? list->jobs : none;
    // What was not seen again does not grow older.
    const qint64 nowMs = own ? m_shown->payloads.asOfMs.value_or(m_shown->asOfMs) : m_shown->asOfMs;
    m_table->setItems(jobs, jobRoleId(chosen->role), nowMs, queue->stuckAfterMs);
    const QString title = jobStateTitle(*chosen);
    m_table->setAccessibleName(tr("Jobs: %1").arg(title));
    m_table->setEmptyText(m_shown->problem                   ? errorText(*m_shown->problem)
                          : list && list->problem            ? errorText(*list->problem)
                          : chosen->count == 0               ? tr("%1: no jobs").arg(title)
                          : own && !m_shown->payloads.asOfMs ? tr("Reading\u2026")
                          : own || list                      ? tr("Too large to list")
                                                             : tr("Reading\u2026"));
    updateCaption(qint64(jobs.size()));
}

void JobPanel::updateCaption(qint64 listed)
{
    const JobState& state = *shownState();
    const auto* queue = m_shown->as<QueueState>();
    QStringList parts;
    if (state.count && listed < *state.count && listed > 0)
        parts << (state.role == JobRole::Processing ? tr("the oldest %1 of %2")
                                                    : tr("the next %1 of %2"))
                     .arg(QLocale().toString(listed), QLocale().toString(*state.count));
    if (state.role == JobRole::Processing)
        parts << tr("stuck after %1").arg(formatDuration(queue->stuckAfterMs));
    if (state.role == JobRole::Processing)
        parts << readText(*m_shown);
    parts.removeAll(QString());
    const int chosen = m_table->chosen().count;
    if (chosen > 0)
        parts << tr("%Ln selected", nullptr, chosen);
    m_caption->setText(parts.join(QStringLiteral(" \u00b7 ")));
    m_act->setText(tr("Selected jobs"));
    m_act->setEnabled(chosen > 0);
    m_act->setToolTip(chosen > 0 ? tr("Actions for the selected jobs") : tr("Select jobs first"));
}

JobChoice JobPanel::chosen() const
{
    return m_table->chosen();
}

// Of the queue's actions those that take jobs of this state.
std::vector<ActionOffer> JobPanel::offers() const
{
    const JobState* shown = shownState();
    const JobChoice choice = m_table->chosen();
    std::vector<ActionOffer> all;
    if (!shown || !m_shown || choice.count == 0)
        return all;
    for (ActionOffer& offer :
         offersFor({m_shown}, m_session ? m_session->limits() : ServerLimits())) {
        if (!offer.action->jobRoles().contains(jobRoleId(shown->role)))
            continue;
        offer.text = tr("%1 (%2)\u2026").arg(offer.action->title()).arg(choice.count);
        if (choice.inSeveralKeys)
            offer.whyNot = tr("the selected jobs are in several lists; select jobs of one list");
        all.push_back(std::move(offer));
    }
    return all;
}

void JobPanel::fillMenu(QMenu* menu)
{
    menu->clear();
    QAction* view = menu->addAction(tr("View payload"), this, &JobPanel::openCurrent);
    view->setShortcut(Qt::Key_Return);
    view->setShortcutContext(Qt::WidgetShortcut);
    view->setEnabled(m_table->current());
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

void JobPanel::openCurrent()
{
    const QueueItem* job = m_table->current();
    const JobState* shown = shownState();
    if (job && shown && m_session && m_shown)
        PayloadDialog::open(m_session, m_handle, *m_shown, *shown, *job, this);
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
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lk
