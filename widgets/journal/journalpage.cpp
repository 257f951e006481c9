// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/journal/journalpage.h"

#include "backend/session/deploymentof.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionhistory.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/board/exportbutton.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/input/searchfield.h"
#include "widgets/journal/journaldetail.h"
#include "widgets/journal/journalmodel.h"
#include "widgets/saving/saveas.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>

namespace lk {

namespace {

constexpr int mostMeasured = 200;         // rows; the rest are like them
constexpr int reasonCharacters = 20;      // of the reason, before the name has more room
constexpr int nameCharactersAtLeast = 26; // of a name that has so many

QStringList placesOf(const Session* session)
{
    return session ? journalPlacesOf(*session) : QStringList();
}

} // namespace

JournalPage::JournalPage(QWidget* parent)
    : ListBoard({QStringLiteral("journal"), tr("Journal"), QStringLiteral("journal")}, parent)
{
    buildLater();
}

void JournalPage::build()
{
    m_model = new JournalModel(this);
    m_filter = searchField(tr("Filter the journal"), tr("Filter the journal"));
    m_detail = new JournalDetail;
    buildTable();
    layOut({buildBar(), nullptr, nullptr, m_detail, 720, 360});
    m_soon.setSingleShot(true);
    m_soon.setInterval(100);
    connect(&m_soon, &QTimer::timeout, this, &JournalPage::read);
    connect(m_detail, &JournalDetail::undoWanted, this, [this](const QByteArrayList& receipts) {
        if (m_session)
            ActionDialog::open(m_session, {nullptr, {}, {}, {}, receipts}, this);
    });
    connect(m_detail, &JournalDetail::momentWanted, this,
            [this](qint64 tMs) { emit wanted(MomentTarget{tMs}); });
    offer(BoardCommand::FocusFilter, [this] { focusFilter(); });
    offer(BoardCommand::CopyRows, [this] { copySelection(); });
    offer(BoardCommand::SaveTable, [this] { saveCsv(); });
    onPaletteChange(this, [this] {
        m_restoring = false;
        restore();
    });
    updateEmpty();
}

QWidget* JournalPage::buildBar()
{
    m_filter->setObjectName(QStringLiteral("journalFilter"));
    m_filter->setToolTip(tr("Shows actions whose name, key, user, reason or receipt contains this "
                            "text (Ctrl+F)"));
    m_filter->setMaximumWidth(320);
    m_export = new ExportButton;
    m_export->add(tr("Save as CSV…"), [this] { saveCsv(); });
    m_export->add(tr("Save as JSON…"), [this] { saveJson(); });
    m_export->add(tr("Copy selected rows"), [this] { copySelection(); });
    auto* bar = new QWidget;
    rowIn(bar, {}, 8, {{m_filter, 1}, BoxStretch{}, m_export});
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_restoring = true;
        m_model->setFilter(text);
        m_restoring = false;
        restore();
        updateEmpty();
    });
    return bar;
}

void JournalPage::buildTable()
{
    makeTable(m_model, QStringLiteral("journalTable"), tr("Journal"),
              {QStringLiteral("when"), QStringLiteral("outcome"), QStringLiteral("action"),
               QStringLiteral("name"), QStringLiteral("who"), QStringLiteral("reason")});
    m_table->installEventFilter(this);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(JournalModel::ReasonColumn,
                                                      QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &JournalPage::onSelection);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        setOpen(index.row(), !m_model->isOpen(index.row()));
    });
}

// Columns are as wide as their contents. The name and the reason share the rest. The name goes
// first, because it may be long and identifies the step.
void JournalPage::fitColumns()
{
    const auto wanted = [&](int column) { return m_table->contentWidth(column, 0, mostMeasured); };
    int room = m_table->viewport()->width();
    QHeaderView* header = m_table->horizontalHeader();
    for (const int column : {JournalModel::WhenColumn, JournalModel::OutcomeColumn,
                             JournalModel::ActionColumn, JournalModel::WhoColumn}) {
        m_arrangement->resize(column, wanted(column));
        room -= header->sectionSize(column);
    }
    const int em = m_table->fontMetrics().averageCharWidth();
    const int reason = std::min(wanted(JournalModel::ReasonColumn), em * reasonCharacters);
    m_arrangement->resize(JournalModel::NameColumn,
                          std::min(wanted(JournalModel::NameColumn),
                                   std::max(em * nameCharactersAtLeast, room - reason)));
}

void JournalPage::sessionChanged()
{
    if (!isSameDeployment())
        m_chosen.clear();
    m_problem.clear();
    m_model->setContents(nullptr);
    m_model->setUntil(0);
    m_detail->show({}, {}, {});
    m_detail->setPast(m_session && m_session->isPast());
    if (m_session) {
        if (m_session->isPast())
            connect(m_session, &Session::reported, this, &JournalPage::showUntilThen);

        connect(&m_session->acting(), &SessionActing::journalRead, this, &JournalPage::onRead);
        connect(&m_session->acting(), &SessionActing::journalFailed, this, &JournalPage::onFailed);
        connect(&m_session->acting(), &SessionActing::receiptReady, &m_soon,
                qOverload<>(&QTimer::start));
    }
    updateEmpty();
    read();
}

// Read while it is in front, and after each action.
void JournalPage::activeChanged()
{
    read();
}

void JournalPage::read()
{
    if (isActive() && m_session && m_session->acting().hasJournal())
        m_session->acting().readJournal();
}

void JournalPage::onRead(const JournalPtr& contents)
{
    m_problem.clear();
    m_restoring = true;
    m_model->setContents(contents);
    m_restoring = false;
    const SessionHistory* history = m_session ? m_session->live()->history() : nullptr;
    m_detail->setRecordedFrom(history ? history->firstMs() : 0);
    if (m_session && m_session->isPast())
        showUntilThen();
    fitColumns();
    restore();
    updateEmpty();
}

// As the journal was at the moment that is shown.
void JournalPage::showUntilThen()
{
    m_restoring = true;
    m_model->setUntil(m_session->serverNowMs());
    m_restoring = false;
    restore();
    updateEmpty();
}

void JournalPage::onFailed(const Error& error)
{
    m_problem = sentences(error);
    updateEmpty();
}

// The step that was chosen stays chosen while newer ones come in above it.
void JournalPage::restore()
{
    const int row = m_model->rowOf(m_chosen);
    if (row < 0)
        return m_detail->show({}, {}, {});
    m_table->selectRow(row);
    onSelection();
}

void JournalPage::onSelection()
{
    if (m_restoring)
        return;
    const int row = m_table->currentIndex().row();
    m_chosen = m_model->idAt(row);
    const JournalModel::Steps steps = m_model->stepsAt(row);
    m_detail->show(steps, m_model->undoable(steps), placesOf(m_session));
}

// It stays the one that is chosen; a step of it that was hands over to it.
void JournalPage::setOpen(int row, bool open)
{
    const QByteArray group = m_model->idAt(row);
    m_restoring = true;
    m_model->setOpen(row, open);
    m_restoring = false;
    m_chosen = group;
    restore();
}

void JournalPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_filter->text().isEmpty())
        return m_filter->clear();
    QWidget::keyPressEvent(event);
}

// As in a tree: right opens, left closes, also from a step of it. The table would go to the next
// cell.
bool JournalPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_table || event->type() != QEvent::KeyPress)
        return ListBoard::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const int row = m_table->currentIndex().row();
    if (key->modifiers() != Qt::NoModifier || row < 0)
        return false;
    if (key->key() == Qt::Key_Right) {
        setOpen(row, true);
        return true;
    }
    if (key->key() == Qt::Key_Left) {
        const JournalModel::Steps steps = m_model->stepsAt(row);
        if (const int head = m_model->rowOf(steps.front()->group); head >= 0) {
            setOpen(head, false);
            return true;
        }
    }
    return false;
}

void JournalPage::selectFirst()
{
    if (m_chosen.isEmpty() && m_model->rowCount() > 0)
        m_table->selectRow(0);
}

void JournalPage::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void JournalPage::updateEmpty()
{
    const bool rows = m_model->rowCount() > 0 && m_problem.isEmpty();
    showTable(rows);
    m_export->setEnabled(rows);
    if (rows)
        return;
    if (!m_problem.isEmpty())
        m_empty->setText(QStringLiteral("error"), tr("The journal cannot be read"), m_problem);
    else if (m_filter->text().isEmpty() && m_session && m_session->isPast())
        m_empty->setText(QStringLiteral("journal"), tr("No actions before this time"),
                         tr("No action had been run from this account by then."));
    else if (m_model->total() > 0)
        m_empty->setText(QStringLiteral("search"), tr("Nothing matches"),
                         tr("No action matches the filter. Clear it to see all."));
    else if (m_session && !m_session->acting().hasJournal())
        m_empty->setText(QStringLiteral("journal"), tr("No journal"),
                         tr("This session has no journal, so it is read-only."));
    else
        m_empty->setText(QStringLiteral("journal"), tr("No actions yet"),
                         tr("Every action run from this account appears here: when, who, why, "
                            "before, after, and its undo. To run one, turn on write mode, select "
                            "a lock, queue, limiter or token, and press Ctrl+Return."));
}

void JournalPage::saveJson()
{
    askToSave(this, {tr("Save the journal"), QStringLiteral("journal.json"), tr("JSON (*.json)"),
                     [this] { return [text = m_model->json()] { return text().toUtf8(); }; }});
}

RowsText JournalPage::csvOf(const std::vector<int>& rows) const
{
    return m_model->csv(rows);
}

void JournalPage::saveCsv()
{
    askToSaveCsv(this, tr("Save the journal"), QStringLiteral("journal"),
                 [this] { return m_model->csv(); });
}

} // namespace lk
