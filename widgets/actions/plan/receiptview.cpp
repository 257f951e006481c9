// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/plan/receiptview.h"

#include "backend/core/names/keyname.h"
#include "widgets/actions/outcomestyle.h"
#include "widgets/actions/plan/codeview.h"
#include "widgets/actions/plan/planview.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/breakabletext.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>

namespace lk {

namespace {

constexpr int iconSide = 22;

QString undoText(const Receipt& receipt)
{
    return receipt.undoable ? receipt.undoNote
                            : ReceiptView::tr("not possible: %1").arg(receipt.undoNote);
}

std::vector<FactGrid::Row> factsOf(const Receipt& receipt, const QString& what,
                                   const QString& server)
{
    std::vector<FactGrid::Row> rows{{ReceiptView::tr("Action"), breakable(what), false},
                                    {ReceiptView::tr("Server"), server, false}};
    if (receipt.count > 0)
        rows.push_back({ReceiptView::tr("Changed"), QLocale().toString(receipt.count), false});
    if (!receipt.id.isEmpty())
        rows.push_back({ReceiptView::tr("Receipt"), QString::fromLatin1(receipt.id), true});
    if (receipt.outcome == Outcome::Succeeded && !receipt.undoNote.isEmpty())
        rows.push_back({ReceiptView::tr("Undo"), undoText(receipt), false});
    return rows;
}

} // namespace

ReceiptView::ReceiptView(StepModel* steps, QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel)
    , m_title(new QLabel)
    , m_text(new QLabel)
    , m_code(new CodeView)
    , m_facts(new FactGrid)
    , m_progress(new QProgressBar)
    , m_table(makeStepTable(steps))
    , m_copy(new QPushButton(tr("Cop&y receipt ID")))
    , m_undo(new QPushButton(tr("&Undo…")))
    , m_undoAll(new QPushButton)
    , m_steps(steps)
{
    m_title->setFont(uiFont(TextSize::Title));
    m_title->setObjectName(QStringLiteral("receiptTitle"));
    for (QLabel* label : {m_title, m_text}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress->setAccessibleName(tr("Actions run"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(8);
    for (QPushButton* button : {m_copy, m_undo, m_undoAll})
        button->setAutoDefault(false);
    auto* head = rowOf(8, {m_icon, {m_title, 1}});
    auto* buttons = rowOf(8, {m_undoAll, m_undo, m_copy, BoxStretch{}});
    columnIn(this, {}, 8,
             {head,
              m_text,
              m_code,
              m_progress,
              BoxGap{4},
              m_facts,
              {m_table, 1},
              buttons,
              BoxStretch{0}});
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (m_many)
                    setReceipt(m_steps->receiptAt(current.row()));
            });
    connect(m_copy, &QPushButton::clicked, this, &ReceiptView::copyReceipt);
    connect(m_undo, &QPushButton::clicked, this, [this] { emit undoWanted({m_receipt}); });
    connect(m_undoAll, &QPushButton::clicked, this,
            [this] { emit undoWanted(m_steps->undoable()); });
    onPaletteChange(this, [this] { updateIcon(); });
}

void ReceiptView::setHead(const QString& iconName, ColorRole role, const QString& title,
                          const QString& text)
{
    m_iconName = iconName;
    m_iconRole = role;
    updateIcon();
    m_title->setText(breakable(title, 50));
    m_text->setText(breakable(text));
    m_text->setVisible(!text.isEmpty());
}

void ReceiptView::updateIcon()
{
    m_icon->setVisible(!m_iconName.isEmpty());
    m_icon->setPixmap(
        icon(m_iconName, m_iconRole, palette()).pixmap({iconSide, iconSide}, devicePixelRatioF()));
}

void ReceiptView::setReceipt(const Receipt* receipt)
{
    m_receipt = receipt ? receipt->id : QByteArray();
    // Not while other steps of the run are still to come: the user would miss their results.
    const bool undoable = receipt && receipt->undoable && !m_running;
    m_copy->setVisible(m_many || !m_receipt.isEmpty());
    m_copy->setEnabled(!m_receipt.isEmpty());
    m_undo->setVisible(m_many || undoable);
    m_undo->setEnabled(undoable);
    m_undo->setText(m_many ? tr("&Undo this one…") : tr("&Undo…"));
    const auto all = m_many && !m_running ? int(m_steps->undoable().size()) : 0;
    m_undoAll->setVisible(all > 0);
    m_undoAll->setText(tr("Undo &all %Ln…", nullptr, all));
}

void ReceiptView::setFacts(std::vector<FactGrid::Row> rows)
{
    m_rows = std::move(rows);
    m_facts->setRows(m_rows);
    m_facts->setVisible(!m_rows.empty());
}

void ReceiptView::showTaken(const QString& text)
{
    std::vector<FactGrid::Row> rows = m_rows;
    rows.push_back({tr("Workers"), text, false});
    m_facts->setRows(rows);
    m_facts->show();
}

void ReceiptView::showAnswer(const Plan& plan, const QString& server)
{
    m_many = false;
    m_running = false;
    const bool yes = plan.answer && plan.answer->yes;
    setHead(yes ? QStringLiteral("ok") : QStringLiteral("minus"),
            yes ? ColorRole::Ok : ColorRole::Second, plan.question,
            plan.answer ? plan.answer->text : QString());
    std::vector<FactGrid::Row> rows{{tr("Server"), server, false}};
    if (!plan.expected.isEmpty())
        rows.push_back({tr("Current state"), plan.expected, false});
    setFacts(rows);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_code, m_progress, m_table})
        widget->hide();
    setReceipt(nullptr);
}

void ReceiptView::showReceipt(const Receipt& receipt, const QString& what, const QString& server)
{
    m_many = false;
    m_running = false;
    setHead(outcomeIconName(receipt.outcome), outcomeRole(receipt.outcome),
            outcomeTitle(receipt.outcome),
            receipt.text == outcomeTitle(receipt.outcome) ? QString() : receipt.text);
    m_code->setVisible(!receipt.revealed.isEmpty());
    m_code->setCode(displayName(receipt.revealed));
    setFacts(factsOf(receipt, what, server));
    m_progress->hide();
    m_table->hide();
    setReceipt(&receipt);
}

void ReceiptView::beginMany(const QString& title)
{
    m_many = true;
    m_heading = title;
    m_code->hide();
    setFacts({});
    m_table->show();
    m_progress->setRange(0, std::max(1, m_steps->planned()));
    m_progress->setVisible(m_steps->planned() > 0);
    updateMany(false);
}

void ReceiptView::showAnswers(const QString& title)
{
    beginMany(title);
    m_progress->hide();
    m_copy->hide();
    m_undo->hide();
    m_undoAll->hide();
    setHead({}, ColorRole::Second, title,
            tr("%Ln result(s); nothing was changed", nullptr, m_steps->planned()));
}

void ReceiptView::updateMany(bool ended)
{
    m_running = !ended;
    setReceipt(m_steps->receiptAt(m_table->currentIndex().row()));
    const int done = m_steps->done();
    const int planned = m_steps->planned();
    m_progress->setValue(done);
    if (done > 0)
        m_table->scrollTo(m_steps->index(done - 1, 0));
    const int good = m_steps->count(Outcome::Succeeded);
    const QString text = tr("%1 of %2 actions run; %3 succeeded, %4 did not")
                             .arg(QString::number(done), QString::number(planned),
                                  QString::number(good), QString::number(done - good));
    const bool allGood = ended && good == planned;
    setHead(!ended    ? QStringLiteral("clock")
            : allGood ? QStringLiteral("ok")
                      : QStringLiteral("warning"),
            !ended    ? ColorRole::Accent
            : allGood ? ColorRole::Ok
                      : ColorRole::Warning,
            !ended           ? m_heading
            : allGood        ? tr("Succeeded")
            : done < planned ? tr("Stopped")
                             : tr("Partly succeeded"),
            text);
    if (ended)
        m_progress->hide();
}

void ReceiptView::forget()
{
    m_code->setCode({});
    m_code->hide();
}

void ReceiptView::copyReceipt()
{
    QApplication::clipboard()->setText(QString::fromLatin1(m_receipt));
}

} // namespace lk
