// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/boardpage.h"

#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "backend/text/kindtitles.h"
#include "widgets/board/boardtexts.h"
#include "widgets/board/exportbutton.h"
#include "widgets/board/filterbar.h"
#include "widgets/boards/celldelegate.h"
#include "widgets/boards/columnfit.h"
#include "widgets/boards/possiblenotice.h"
#include "widgets/boards/primitivemodel.h"
#include "widgets/boards/rowgroups.h"
#include "widgets/controls/panels/panesplitter.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/detail/pane/detailpane.h"
#include "widgets/redlock/redlocklist.h"
#include "widgets/saving/saveas.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace lk {

namespace {

constexpr int paneShare = 44; // of the width, in percent, where the table needs no more

QString idOf(Kind kind)
{
    return QString::fromLatin1(kindId(kind));
}

QStringList columnIds(Kind kind)
{
    QStringList ids;
    for (const Column& column : columns(kind))
        ids << QString::fromLatin1(column.id);
    return ids;
}

} // namespace

BoardPage::BoardPage(Kind kind, QWidget* parent)
    : ListBoard({idOf(kind), kindPluralTitle(kind), kindIconName(kind)}, parent)
    , m_kind(kind)
{
    m_query.kind = kind;
    buildLater();
}

void BoardPage::build()
{
    m_model = new PrimitiveModel(m_kind, this);
    m_filter = new FilterBar(tr("Filter %1").arg(kindPluralWord(m_kind)));
    m_possible = new PossibleNotice(m_kind);
    m_detail = new DetailPane(m_kind);
    buildTable();
    buildExportButton();
    QWidget* pane = m_detail;
    QWidget* head = nullptr;
    if (m_kind == Kind::Lock) {
        m_redlocks = new RedlockList(m_detail, this);
        head = m_redlocks;
        pane = m_redlocks->pane();
        connect(m_redlocks, &RedlockList::taken, this, &BoardPage::leaveRows);
    }
    layOut({m_filter, head, m_possible, pane, 650, 440});
    m_possible->parentWidget()->layout()->setAlignment(m_possible, Qt::AlignLeft);

    m_attention.setSingleShot(true);
    m_attention.setInterval(50);
    connect(&m_attention, &QTimer::timeout, this, &BoardPage::updateAttention);
    connect(m_filter, &FilterBar::changed, this, &BoardPage::ask);
    connect(m_filter, &FilterBar::left, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_detail, &DetailPane::actionChosen, this, [this](const Action* action, Handle handle) {
        if (const StatePtr state = m_session ? m_session->states().at(handle) : nullptr)
            act(action, {state});
    });
    connect(m_detail, &DetailPane::findingWanted, this,
            [this](quint64 id) { emit wanted(FindingTarget{id}); });
    connect(m_detail, &DetailPane::momentWanted, this,
            [this](qint64 tMs) { emit wanted(MomentTarget{tMs}); });
    connect(m_detail, &DetailPane::wideWanted, this, &BoardPage::setWide);
    connect(m_detail, &DetailPane::declareWanted, this, &BoardPage::declare);
    offerCommands();
    updateEmptyState();
}

BoardPage::~BoardPage() = default;

void BoardPage::buildTable()
{
    makeTable(m_model, QStringLiteral("boardTable"), kindPluralTitle(kind()), columnIds(kind()));
    m_table->setItemDelegate(new CellDelegate(m_table));
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSortIndicatorShown(true);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    m_columns = new ColumnFit(kind(), m_table, m_arrangement);
    m_groups = new RowGroups(m_model, m_table);
    connect(m_groups, &RowGroups::changed, this, &BoardPage::ask);
    connect(m_columns, &ColumnFit::wantedChanged, this, &BoardPage::shareWidth);
    connect(header, &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder) { onHeaderClicked(column); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { onSelectionChanged(); });
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, &m_attention,
            qOverload<>(&QTimer::start));
    connect(m_table, &QTableView::customContextMenuRequested, this, &BoardPage::showMenu);
}

void BoardPage::buildExportButton()
{
    auto* button = new ExportButton;
    button->add(tr("Save the table as CSV…"), [this] { exportCsv(); });
    button->add(tr("Copy selected rows"), [this] { copySelection(); });
    auto* trailing = new QWidget;
    auto* row = rowIn(trailing, {}, 8);
    buildCreateActions(row);
    row->addWidget(m_groups->button());
    row->addWidget(button);
    m_filter->addTrailing(trailing);
    followPalette(this, [this] { m_groups->updateIcons(); });
}

// The pane gives way first: it is as wide as it likes to be only where the columns fit beside it.
void BoardPage::shareWidth()
{
    const int all = m_splitter ? m_splitter->width() - m_splitter->handleWidth() : 0;
    if (all <= 0 || m_splitter->isByHand())
        return;
    const int margins = m_splitter->widget(0)->width() - m_table->viewport()->width();
    const int least =
        std::max(m_detail->minimumWidth(), m_splitter->widget(1)->minimumSizeHint().width());
    const int pane =
        std::max(least, std::min(all * paneShare / 100, all - m_columns->wanted() - margins));
    if (m_splitter->sizes().value(1) != pane)
        m_splitter->setSizes({all - pane, pane});
}

void BoardPage::sessionChanged()
{
    // At another moment of the same deployment the selection stays, unless it exists only in the
    // past.
    const bool keeps = isSameDeployment() && m_session &&
                       (m_session->isPast() || m_session->states().at(m_selected));
    if (!keeps) {
        setWide(false);
        m_selected = noHandle;
    }
    m_total = 0;
    if (!isSameDeployment())
        m_filter->resetChips(); // they counted rows of another server
    m_model->setSession(m_session);
    m_columns->forget();
    m_detail->setSession(m_session);
    m_possible->setSession(m_session);
    if (m_redlocks)
        m_redlocks->setSession(m_session);
    if (m_session) {
        connect(&m_session->board(), &SessionBoard::sorted, this, &BoardPage::onSorted);
        connect(&m_session->polling(), &SessionPolling::pinnedChanged, m_table->viewport(),
                qOverload<>(&QWidget::update));
        connect(m_session, &Session::statusChanged, this, &BoardPage::updateEmptyState);
        connect(m_session, &Session::reported, this, &BoardPage::updateEmptyState);
        connect(&m_session->acting(), &SessionActing::limitsChanged, this,
                &BoardPage::updateCreateActions);
        connect(&m_session->board(), &SessionBoard::summaryChanged, this, &BoardPage::badgeChanged);
        if (m_redlocks)
            connect(&m_session->findings(), &SessionFindings::changed, this,
                    &BoardPage::badgeChanged);
        if (m_session->isPast())
            connect(&m_session->board(), &SessionBoard::summaryChanged, this,
                    &BoardPage::updateEmptyState);
        if (isActive())
            ask();
    }
    updateCreateActions();
    updateEmptyState();
}

void BoardPage::activeChanged()
{
    m_detail->setActive(isActive());
    if (m_redlocks)
        m_redlocks->setActive(isActive());
    if (isActive()) {
        ask();
        updateAttention();
    }
}

void BoardPage::ask()
{
    if (!m_session || !isActive())
        return;
    m_query.filter = m_filter->text();
    if (m_redlocks)
        m_redlocks->setFilter(m_query.filter);
    m_query.set = rowSetFrom(m_filter->chosen());
    m_groups->addTo(m_query);
    ++m_query.serial;
    m_session->board().setQuery(m_query);
}

void BoardPage::onHeaderClicked(int section)
{
    const QHeaderView* header = m_table->horizontalHeader();
    m_query.column = section;
    m_query.descending = header->sortIndicatorOrder() == Qt::DescendingOrder;
    ask();
}

void BoardPage::onSorted(const BoardRows& rows)
{
    if (rows.query.kind != kind() || rows.query.serial != m_query.serial)
        return; // the answer to an earlier question
    m_total = rows.total;
    m_restoring = true;
    m_model->setRows(rows);
    restoreSelection();
    m_restoring = false;
    updateChips(rows);
    updateEmptyState();
    m_attention.start();
}

void BoardPage::restoreSelection()
{
    if (m_selected == noHandle || !m_session)
        return;
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid() &&
        (m_model->handleAt(current.row()) == m_selected || m_model->groupAt(current.row())))
        return; // the current header row of a group stays current
    const int row = m_model->rowOf(m_selected);
    if (row < 0)
        return; // filtered away or gone: the pane keeps showing it, the table selects nothing else
    makeCurrent(*m_table, row);
}

void BoardPage::onSelectionChanged()
{
    if (m_restoring)
        return;
    const QModelIndex current = m_table->currentIndex();
    const bool chosen = current.isValid() && !m_model->groupAt(current.row()) &&
                        m_table->selectionModel()->isRowSelected(current.row());
    const Handle handle = chosen ? m_model->handleAt(current.row()) : noHandle;
    if (handle == noHandle || handle == m_selected)
        return;
    m_selected = handle;
    if (m_redlocks)
        m_redlocks->leave();
    m_detail->show(m_selected);
    updateAttention();
}

// The pane shows something else: no row of the table is selected.
void BoardPage::leaveRows()
{
    m_restoring = true;
    m_table->clearSelection();
    m_table->setCurrentIndex({});
    m_restoring = false;
    select(noHandle);
}

void BoardPage::select(Handle handle)
{
    if (handle != m_selected)
        setWide(false);
    m_selected = handle;
    if (m_redlocks && handle != noHandle)
        m_redlocks->leave();
    m_detail->show(handle);
    m_restoring = true;
    // It alone, also where it was one of several.
    if (const int row = m_model->rowOf(handle); handle != noHandle && row >= 0)
        selectOnly(*m_table, row);
    m_restoring = false;
    if (m_table->currentIndex().isValid())
        m_table->scrollTo(m_table->currentIndex());
    updateAttention();
}

void BoardPage::selectFirst()
{
    int row = 0;
    while (m_model->groupAt(row))
        ++row;
    if (row < m_model->rowCount())
        select(m_model->handleAt(row));
}

// The pane of the selected primitive has the whole board to itself.
void BoardPage::setWide(bool wide)
{
    if (wide == m_isWide)
        return;
    if (wide && (m_selected == noHandle || !m_session || !m_session->states().at(m_selected)))
        return;
    if (!m_detail->setWide(wide))
        return;
    m_isWide = wide;
    m_splitter->widget(0)->setVisible(!wide);
    if (!wide)
        m_table->setFocus();
    updateAttention();
}

// Wherever in the board the focus is.
void BoardPage::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers() == Qt::NoModifier && m_table->hasFocus())
        setWide(true);
    else if (event->key() == Qt::Key_Escape && m_isWide)
        setWide(false);
    else if (event->key() == Qt::Key_Escape && m_filter->isFiltering())
        m_filter->clear();
    else
        QWidget::keyPressEvent(event);
}

RowsText BoardPage::csvOf(const std::vector<int>& rows) const
{
    return m_model->csv(rows);
}

void BoardPage::exportCsv()
{
    askToSaveCsv(this, tr("Save the table"), kindPluralWord(kind()),
                 [this] { return m_model->csv(); });
}

void BoardPage::togglePin()
{
    if (m_session && m_selected != noHandle)
        m_session->polling().setPinned(m_selected, !m_session->polling().isPinned(m_selected));
}

void BoardPage::updateAttention()
{
    if (!m_session || !isActive())
        return;
    const bool onScreen = isVisible() && !window()->isMinimized();
    if (!onScreen || m_model->rowCount() == 0 || m_isWide) {
        m_model->setVisibleRows(0, -1);
        m_session->polling().setAttention({}, onScreen ? m_selected : noHandle);
        return;
    }
    const int first = m_table->rowAt(0);
    int last = m_table->rowAt(m_table->viewport()->height() - 1);
    if (last < 0)
        last = m_model->rowCount() - 1;
    m_model->setVisibleRows(first, last);
    m_session->polling().setAttention(m_model->visibleHandles(), m_selected);
}

// In the order of their words, so that chance has no part in it.
void BoardPage::updateChips(const BoardRows& rows)
{
    std::vector<FilterChip> chips;
    for (const SetCount& one : rows.sets)
        chips.push_back({rowSetId(one.set), rowSetTitle(one.set), one.count});
    std::sort(chips.begin(), chips.end(),
              [](const FilterChip& a, const FilterChip& b) { return a.text < b.text; });
    m_filter->setChips(rows.fitting, chips);
}

void BoardPage::updateEmptyState()
{
    const bool rows = m_model->rowCount() > 0;
    showTable(rows);
    if (rows)
        return;
    const EmptyText text = emptyText(kind(), m_session, m_total > 0);
    m_empty->setText(text.icon, text.headline, text.text, text.example, text.percent);
}

bool BoardPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport() &&
        (event->type() == QEvent::Resize || event->type() == QEvent::Show ||
         event->type() == QEvent::Hide)) {
        m_attention.start();
        if (event->type() == QEvent::Resize) {
            shareWidth();
            m_columns->fit();
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lk
