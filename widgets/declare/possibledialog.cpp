// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/possibledialog.h"

#include "backend/session/sessionstates.h"
#include "backend/text/kindtitles.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/declare/configdialog.h"
#include "widgets/declare/possiblemodel.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace lk {

PossibleDialog* PossibleDialog::open(Session* session, Kind kind, QWidget* over)
{
    auto* dialog = new PossibleDialog(session, kind, over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

PossibleDialog::PossibleDialog(Session* session, Kind kind, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_kind(kind)
    , m_model(new PossibleModel(kind, this))
    , m_text(new QLabel)
    , m_table(new FlatTable)
    , m_declare(new QPushButton(tr("&Declare…")))
    , m_ignore(new QPushButton(tr("%1…").arg(notThisText(kind))))
{
    setObjectName(QStringLiteral("possibleDialog"));
    const QString title = tr("Possible %1").arg(kindPluralWord(kind));
    setWindowTitle(tr("%1 – Lockkeeper").arg(title));
    resize(820, 460);
    auto* heading = new QLabel(title);
    heading->setFont(uiFont(TextSize::Title));
    m_text->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("possibleTable"));
    m_table->setAccessibleName(title);
    m_table->setModel(m_model);
    m_table->horizontalHeader()->setSectionResizeMode(PossibleModel::KeyColumn,
                                                      QHeaderView::Stretch);
    m_table->setColumnWidth(PossibleModel::LayoutColumn, 200);
    m_table->setColumnWidth(PossibleModel::ReasonColumn, 320);
    auto* close = new QPushButton(tr("&Close"));
    auto* buttons = rowOf(8, {m_declare, m_ignore, BoxStretch{}, close});
    columnIn(this, {16, 16, 16, 16}, 12, {heading, m_text, {m_table, 1}, buttons});
    m_declare->setDefault(true);
    connect(m_declare, &QPushButton::clicked, this, [this] { write(confirmingOf); });
    connect(m_ignore, &QPushButton::clicked, this,
            [this] { write(static_cast<ConfigDraft (*)(const PossiblePrimitive&)>(ignoringOf)); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &PossibleDialog::updateButtons);
    connect(session, &QObject::destroyed, this, &QDialog::close);
    connect(&session->states(), &SessionStates::possibleChanged, this, &PossibleDialog::update);
    update();
    m_table->setFocus();
}

// The rows come and go with the scan; which one is selected stays so.
void PossibleDialog::update()
{
    if (!m_session)
        return;
    const PossiblePrimitive* selected = m_model->at(m_table->currentIndex().row());
    const QByteArray key = selected ? selected->key : QByteArray();
    m_model->setPossible(m_session->states().possible());
    const qint64 count = m_session->states().possible()->count(m_kind);
    const QString shown = QLocale().toString(m_model->rowCount());
    QString text = tr("Their names or contents match, but are no proof, so they are not counted "
                      "and produce no findings. Declare those that are %1.")
                       .arg(kindPluralWord(m_kind));
    if (count > m_model->rowCount())
        text += QLatin1Char(' ') + tr("Shown: %1 of %2.").arg(shown, QLocale().toString(count));
    m_text->setText(text);
    const int row = m_model->rowOf(key);
    if (m_model->rowCount() > 0)
        m_table->selectRow(std::max(0, row));
    updateButtons();
}

void PossibleDialog::updateButtons()
{
    const bool selected = m_model->at(m_table->currentIndex().row());
    const bool file = m_session && !m_session->configFile().isEmpty();
    for (QPushButton* button : {m_declare, m_ignore})
        button->setEnabled(selected && file);
}

void PossibleDialog::write(ConfigDraft (*draftOf)(const PossiblePrimitive&))
{
    const PossiblePrimitive* selected = m_model->at(m_table->currentIndex().row());
    if (m_session && selected)
        ConfigDialog::open(m_session, draftOf(*selected), this);
}

} // namespace lk
