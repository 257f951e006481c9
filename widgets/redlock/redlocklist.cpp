// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/redlocklist.h"

#include "backend/core/names/keyname.h"
#include "backend/session/redlock/redlocks.h"
#include "backend/session/session.h"
#include "backend/session/sessionpolling.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/redlock/redlockdetail.h"
#include "widgets/redlock/redlockdialog.h"
#include "widgets/theme/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lk {

namespace {

constexpr int leastIntervalMs = 1000; // each of several servers is asked
constexpr int mostRows = 6;           // before it scrolls: the board below needs its room
// Widths in characters; other columns fit their contents. The owner takes the remaining room.
constexpr int countCharacters = 34;
constexpr int briefCharacters = 9;
constexpr int stateCharacters = 14; // at least, beside its icon
constexpr int redlockListOwnerCharacters = 14;

QString noteOf(const std::vector<RedlockReportPtr>& reports, int shown, bool isFiltering)
{
    QStringList notes;
    bool reading = false;
    for (const RedlockReportPtr& report : reports) {
        reading = reading || !report || !report->complete;
        if (!report)
            continue;
        if (report->cut)
            notes << RedlockList::tr("%1: only the first %2 are shown")
                         .arg(displayName(report->group.match),
                              QLocale().toString(qlonglong(report->locks.size())));
        for (const Finding& finding : report->findings) {
            if (finding.group)
                notes << finding.message;
        }
    }
    if (reading)
        notes << RedlockList::tr("scanning…");
    else if (shown == 0)
        notes << (isFiltering ? RedlockList::tr("nothing matches the filter")
                              : RedlockList::tr("no lock is held now"));
    return notes.join(QStringLiteral(" \u00b7 "));
}

} // namespace

RedlockList::RedlockList(QWidget* pane, QWidget* board)
    : QWidget(board)
    , m_board(board)
    , m_model(new RedlockModel(this))
    , m_title(new QLabel)
    , m_note(new QLabel)
    , m_table(new FlatTable)
    , m_detail(new RedlockDetail)
    , m_pane(new QStackedWidget)
{
    QFont font = uiFont(TextSize::Body);
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    m_title->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setObjectName(QStringLiteral("redlockNote"));
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 8);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addWidget(m_note);
    column->addWidget(m_table);
    m_pane->addWidget(pane);
    m_pane->addWidget(m_detail);
    connect(m_detail, &RedlockDetail::releaseWanted, this, &RedlockList::release);
    hide();
}

void RedlockList::buildTable()
{
    m_table->setObjectName(QStringLiteral("redlockTable"));
    m_table->setAccessibleName(tr("Redlock locks"));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setSectionResizeMode(RedlockModel::OwnerColumn,
                                                      QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionsClickable(false);
    m_arrangement = new TableArrangement(
        m_table, {u"name"_s, u"state"_s, u"servers"_s, u"owner"_s, u"valid"_s}, u"redlocks"_s);
    connect(m_arrangement, &TableArrangement::released, this, &RedlockList::fit);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RedlockList::choose);
    connect(m_table, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
        if (m_table->indexAt(at).isValid())
            act();
    });
}

QWidget* RedlockList::pane() const
{
    return m_pane;
}

void RedlockList::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    leave();
    // Locks of groups are not recorded, so the past does not show them.
    Redlocks* now = session && !session->isPast() ? Redlocks::of(*session) : nullptr;
    if (m_redlocks && m_redlocks != now) {
        m_redlocks->disconnect(this);
        m_redlocks->watch(0);
    }
    if (now && now != m_redlocks) {
        connect(now, &Redlocks::changed, this, &RedlockList::refresh);
        connect(now, &Redlocks::groupsChanged, this, [this] {
            leave();
            refresh();
        });
    }
    m_redlocks = now;
    refresh();
}

void RedlockList::setActive(bool active)
{
    m_active = active;
    refresh();
}

void RedlockList::watch()
{
    if (!m_redlocks)
        return;
    const bool visible = m_active && m_session;
    m_redlocks->watch(visible ? std::max(m_session->polling().intervalMs(), leastIntervalMs) : 0);
}

void RedlockList::setFilter(const QString& text)
{
    m_filter = text.trimmed();
    refresh();
}

void RedlockList::refresh()
{
    const auto reports = m_redlocks ? m_redlocks->reports() : std::vector<RedlockReportPtr>();
    m_restoring = true;
    m_model->setReports(reports, m_filter);
    const int row = m_selected ? m_model->rowOf(*m_selected) : -1;
    if (row >= 0 && selectedRows(*m_table) != std::vector{row})
        selectOnly(*m_table, row);
    m_restoring = false;
    const int shown = m_model->rowCount();
    const int wrong = m_model->withoutQuorum();
    m_title->setText(wrong > 0 ? tr("Redlock locks: %1, without a quorum: %2")
                                     .arg(QLocale().toString(shown), QLocale().toString(wrong))
                               : tr("Redlock locks: %1").arg(QLocale().toString(shown)));
    m_note->setText(noteOf(reports, shown, !m_filter.isEmpty()));
    m_note->setVisible(!m_note->text().isEmpty());
    m_table->setVisible(shown > 0);
    fit();
    setVisible(!reports.empty());
    watch(); // the polling interval may be another
    showDetail();
}

void RedlockList::choose()
{
    const RedlockRow* row = m_model->at(m_table->currentIndex().row());
    if (m_restoring || !row ||
        !m_table->selectionModel()->isRowSelected(m_table->currentIndex().row()))
        return;
    m_selected = row->id();
    emit taken();
    showDetail();
    m_pane->setCurrentWidget(m_detail);
}

void RedlockList::leave()
{
    m_selected.reset();
    m_restoring = true;
    m_table->clearSelection();
    m_restoring = false;
    m_pane->setCurrentIndex(0);
}

RedlockReportPtr RedlockList::selectedReport() const
{
    return m_selected && m_redlocks ? m_redlocks->reports()[m_selected->group] : nullptr;
}

void RedlockList::showDetail()
{
    if (const RedlockReportPtr report = selectedReport())
        m_detail->show(report->stateOf(m_selected->name), *report,
                       m_redlocks->canAct()
                           ? QString()
                           : tr("this session has no journal, so it is read-only"));
}

bool RedlockList::act()
{
    const RedlockReportPtr report = selectedReport();
    const RedlockState* state = report ? report->lock(m_selected->name) : nullptr;
    if (state && state->holds > 0)
        release(state->owner);
    return m_selected && m_redlocks;
}

void RedlockList::release(const QByteArray& owner)
{
    if (m_selected && m_redlocks && m_session && m_redlocks->canAct())
        RedlockDialog::open(m_session, m_redlocks, m_selected->group, {m_selected->name, owner},
                            m_board);
}

void RedlockList::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

int RedlockList::widthOf(int column) const
{
    return std::max(static_cast<const QAbstractItemView*>(m_table)->sizeHintForColumn(column),
                    m_table->horizontalHeader()->sectionSizeHint(column));
}

// Contents that do not fit give way in this order: the owner, the votes of the other servers, the
// duration, the state's word beside its icon. Then a long name is shortened. The pane shows all of
// it.
void RedlockList::fit()
{
    const int em = m_table->fontMetrics().averageCharWidth();
    const auto its = [this](int column, int width) {
        return m_arrangement->isByHand(column) ? m_arrangement->byHand(column) : width;
    };
    const int name =
        its(RedlockModel::NameColumn, std::min(widthOf(RedlockModel::NameColumn), width() / 2));
    int state = its(RedlockModel::StateColumn, widthOf(RedlockModel::StateColumn));
    const int valid = its(RedlockModel::ValidColumn, widthOf(RedlockModel::ValidColumn));
    // The full width of the column is unknown in brief mode.
    const int whole = m_model->isBrief()
                          ? em * countCharacters
                          : std::min(widthOf(RedlockModel::CountColumn), em * countCharacters);
    const bool brief = name + state + whole + valid > width();
    const int count = brief ? em * briefCharacters : whole;
    const bool owner = name + state + count + valid + em * redlockListOwnerCharacters <= width();
    if (const int lacking = name + state + count - width(); lacking > 0)
        state = std::max(state - lacking, std::min(state, em * stateCharacters));
    m_model->setBrief(brief);
    m_table->setColumnHidden(RedlockModel::ValidColumn, name + state + count + valid > width());
    m_table->setColumnHidden(RedlockModel::OwnerColumn, !owner);
    m_table->horizontalHeader()->setSectionResizeMode(
        RedlockModel::NameColumn, owner ? QHeaderView::Interactive : QHeaderView::Stretch);
    if (owner)
        m_arrangement->resize(RedlockModel::NameColumn, name);
    m_arrangement->resize(RedlockModel::StateColumn, state);
    m_arrangement->resize(RedlockModel::CountColumn, count);
    m_arrangement->resize(RedlockModel::ValidColumn, valid);
    const int rows = std::clamp(m_model->rowCount(), 1, mostRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            rows * m_table->verticalHeader()->defaultSectionSize() + 2);
}

} // namespace lk
