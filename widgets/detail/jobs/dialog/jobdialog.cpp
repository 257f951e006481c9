// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/dialog/jobdialog.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/session.h"
#include "backend/session/sessionjobs.h"
#include "backend/session/sessionstates.h"
#include "backend/text/errortext.h"
#include "backend/text/jobstatetitle.h"
#include "backend/text/numbers/datasize.h"
#include "backend/text/time/duration.h"
#include "widgets/detail/jobs/dialog/joblinks.h"
#include "widgets/detail/jobs/dialog/payloadtext.h"
#include "widgets/detail/primitivefacts.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLocale>
#include <QMetaMethod>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

namespace lk {

namespace {

// JSON with a line for each member, anything else as it is.
QString readable(const QByteArray& text)
{
    const QByteArray json = indentedJson(text);
    return payloadLines(json.isEmpty() ? text : json);
}

// Some libraries keep a list of stack traces, one for each try, as JSON.
QString stackText(const QByteArray& stack)
{
    const QJsonDocument json = QJsonDocument::fromJson(stack);
    if (!json.isArray())
        return payloadLines(stack);
    QStringList traces;
    for (const QJsonValue& trace : json.array())
        traces << payloadLines(trace.toString().toUtf8());
    return traces.join(QStringLiteral("\n\n"));
}

} // namespace

JobDialog* JobDialog::open(Job job, QWidget* over)
{
    auto* dialog = new JobDialog(std::move(job), over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

JobDialog::JobDialog(Job job, QWidget* parent)
    : QDialog(parent)
    , m_job(std::move(job))
    , m_revealed(!m_job.item.preview.isEmpty())
    , m_facts(new FactGrid)
    , m_links(new JobLinks)
    , m_note(new QLabel)
    , m_indented(new QCheckBox(tr("&Indent JSON")))
    , m_tabs(new QTabWidget)
{
    m_detail.facts = m_job.item.facts;
    m_detail.payload = m_job.item.preview;
    m_whole = m_revealed && m_job.item.size == m_detail.payload.size();
    const QString name = displayPreview(m_job.queue->primitive->name(), 60);
    setWindowTitle(tr("Job of %1 \u2013 Lockkeeper").arg(name));
    auto* title = new QLabel(tr("%1: %2").arg(
        name, m_job.state.name.isEmpty() ? tr("job %1").arg(displayPreview(m_detail.facts.id, 60))
                                         : jobStateTitle(m_job.state)));
    title->setFont(uiFont(TextSize::Title));
    title->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_indented->setChecked(true);
    m_tabs->setDocumentMode(true);
    m_text = addText(tr("Payload"), "payload");
    m_error = addText(tr("Error"), "error");
    m_result = addText(tr("Result"), "result");
    m_stored = addText(tr("Stored fields"), "fields");
    auto* buttons = new QDialogButtonBox;
    m_reveal = buttons->addButton(tr("&Show payload"), QDialogButtonBox::ActionRole);
    m_copy = buttons->addButton(tr("&Copy payload"), QDialogButtonBox::ActionRole);
    m_reveal->setAutoDefault(false);
    m_copy->setAutoDefault(false);
    auto* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setDefault(true);
    columnIn(this, {16, 16, 16, 16}, 8,
             {title, m_facts, m_links, {m_tabs, 1}, m_indented, m_note, buttons});
    resize(680, 620);
    connect(m_indented, &QCheckBox::toggled, this, &JobDialog::showPayload);
    connect(m_copy, &QPushButton::clicked, this, &JobDialog::copy);
    connect(m_reveal, &QPushButton::clicked, this, [this] {
        m_revealed = true;
        m_tabs->setCurrentWidget(m_text);
        showPayload();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_links, &JobLinks::opened, this, &JobDialog::follow);
    if (Session* session = m_job.session) {
        connect(session, &QObject::destroyed, this, &QWidget::close);
        connect(&session->jobs(), &SessionJobs::opened, this, &JobDialog::take);
        connect(session, &Session::reported, this, [this](const MonitorReport& report) {
            if (report.map && !m_placed) // it comes later than the first rows of a board
                showFacts();
        });
        // A job with an id may have more than its payload.
        if (!m_job.item.facts.id.isEmpty() || (!m_whole && m_job.item.size <= mostBytes))
            session->jobs().open(m_job.handle, m_job.page, m_job.item);
    }
    showFacts();
    showPayload();
    showFailure();
    if (!m_detail.facts.error.isEmpty())
        m_tabs->setCurrentWidget(m_error);
    close->setFocus();
}

QPlainTextEdit* JobDialog::addText(const QString& title, const char* name)
{
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setFont(monoFont(TextSize::Body));
    text->setTabChangesFocus(true);
    text->setAccessibleName(title);
    text->setObjectName(QLatin1String(name));
    m_tabs->addTab(text, title);
    return text;
}

void JobDialog::take(const OpenedJobPtr& opened)
{
    if (opened->handle != m_job.handle || opened->state != m_job.state.name ||
        opened->fingerprint != m_job.item.fingerprint || m_read)
        return;
    if (opened->detail.problem) {
        m_note->setText(opened->detail.problem->detail.isEmpty()
                            ? tr("The job no longer exists")
                            : errorText(*opened->detail.problem));
        m_note->show();
        return;
    }
    m_read = true;
    m_whole = !opened->detail.payloadCut;
    m_detail = opened->detail;
    showLinks();
    showFacts();
    showPayload();
    showFailure();
}

// Where the dialog stands over no list of jobs, those of a batch cannot be listed.
void JobDialog::showLinks()
{
    std::vector<JobLink> links = m_detail.links;
    if (!isSignalConnected(QMetaMethod::fromSignal(&JobDialog::searchWanted)))
        std::erase_if(
            links, [](const JobLink& link) { return link.relation == JobLink::Relation::Group; });
    QSet<PrimitiveId> queues;
    for (const JobLink& link : links)
        queues.insert({m_job.queue->primitive->id.layout, link.queue});
    QHash<QByteArray, QByteArray> names;
    if (m_job.session && !links.empty()) {
        const QHash<PrimitiveId, Handle> handles = m_job.session->states().handlesOf(queues);
        for (auto known = handles.cbegin(); known != handles.cend(); ++known) {
            if (const StatePtr state = m_job.session->states().at(known.value()))
                names.insert(known.key().name, state->primitive->name());
        }
    }
    m_links->setLinks(std::move(links), m_detail.linksLeftOut, names);
}

// To the job itself, in whichever state it is by now; of a batch, to those of its jobs that are in
// the list.
void JobDialog::follow(const JobLink& link)
{
    if (!m_job.session)
        return;
    if (link.relation == JobLink::Relation::Group) {
        emit searchWanted(displayName(link.id));
        return close(), void();
    }
    const PrimitiveId queue{m_job.queue->primitive->id.layout, link.queue};
    const Handle handle = m_job.session->states().handlesOf({queue}).value(queue, noHandle);
    const StatePtr state = m_job.session->states().at(handle);
    if (!state) {
        m_note->setText(link.queue.isEmpty()
                            ? tr("The job %1 is gone").arg(displayPreview(link.id, 60))
                            : tr("The queue %1 of that job was not detected")
                                  .arg(displayPreview(link.queue, 60)));
        m_note->show();
        return;
    }
    QueueJob item;
    item.facts.id = link.id;
    item.fingerprint = fingerprintOf(link.id);
    open({m_job.session, handle, state, {}, item, {}}, this);
}

// Its own key, where its library gives each job one; else the one that holds it among others.
void JobDialog::showPlace(std::vector<FactGrid::Row>& rows)
{
    const Primitive& queue = *m_job.queue->primitive;
    const QByteArray& id = m_detail.facts.id;
    const Layout* layout = id.isEmpty() ? nullptr : findLayout(queue.id.layout);
    QByteArray key = layout ? layout->jobKey(queue, m_job.state.name, id) : QByteArray();
    if (key.isEmpty())
        key = m_job.item.key;
    m_placed = key.isEmpty();
    if (key.isEmpty())
        return;
    rows.push_back({tr("Key"), displayPreview(key, 120), true});
    const std::optional<ClusterMap> map =
        m_job.session ? m_job.session->report().map : std::nullopt;
    m_placed = map.has_value();
    if (map)
        rows.push_back({tr("Cluster slot"), clusterPlace({{{}, key}}, *map), false});
}

void JobDialog::showFacts()
{
    const JobFacts& facts = m_detail.facts;
    std::vector<FactGrid::Row> rows;
    const auto text = [&](const QString& label, const QByteArray& value) {
        if (!value.isEmpty())
            rows.push_back({label, displayPreview(value, 120), true});
    };
    const auto moment = [&](const QString& label, std::optional<qint64> ms) {
        if (ms)
            rows.push_back({label, momentText(*ms), false});
    };
    text(tr("ID"), facts.id);
    text(tr("Name"), facts.name);
    text(tr("Worker"), facts.worker);
    showPlace(rows);
    // Without a worker on the job, its lease says nothing.
    const bool worked = m_job.state.name.isEmpty() ? facts.startedMs && !facts.finishedMs
                                                   : m_job.state.role == JobRole::Processing;
    if (facts.leaseAlive && worked)
        rows.push_back({tr("Lease"),
                        *facts.leaseAlive ? tr("alive: its worker keeps renewing it")
                                          : tr("expired: its worker no longer renews it"),
                        false});
    if (facts.attempts)
        rows.push_back({tr("Attempts"),
                        facts.mostAttempts ? tr("%1 of %2", "attempts")
                                                 .arg(QLocale().toString(*facts.attempts),
                                                      QLocale().toString(*facts.mostAttempts))
                                           : QLocale().toString(*facts.attempts),
                        false});
    const auto span = [&](const QString& label, std::optional<qint64> fromMs,
                          std::optional<qint64> toMs) {
        if (fromMs && toMs)
            rows.push_back({label, formatDuration(std::max<qint64>(0, *toMs - *fromMs)), false});
    };
    moment(tr("Enqueued"), facts.enqueuedMs);
    moment(tr("Started"), facts.startedMs);
    if (!facts.startedMs)
        moment(tr("In progress since"), m_job.item.firstSeenMs);
    moment(tr("Finished"), facts.finishedMs);
    span(tr("Waited for"), facts.readyMs, facts.startedMs);
    span(tr("Ran for"), facts.startedMs, facts.finishedMs);
    moment(tr("Due at"), facts.dueMs);
    text(tr("Progress"), facts.progress);
    text(tr("Key"), m_job.item.key);
    const qint64 size = std::max(m_job.item.size, qint64(m_detail.payload.size()));
    if (size > 0)
        rows.push_back({tr("Size"), dataSizeText(size), false});
    if (facts.id.isEmpty())
        rows.push_back({tr("Digest"), // as plans and the command line have it
                        QStringLiteral("%1").arg(m_job.item.fingerprint, 16, 16, QLatin1Char('0')),
                        true});
    m_facts->setRows(std::move(rows));
}

void JobDialog::showPayload()
{
    const bool read = m_read || !m_detail.payload.isEmpty();
    const QByteArray shown = m_detail.payload.left(mostBytes);
    const QByteArray json = m_whole && m_revealed ? indentedJson(shown) : QByteArray();
    m_indented->setVisible(!json.isEmpty());
    m_reveal->setVisible(!m_revealed);
    m_copy->setVisible(m_revealed);
    m_text->setPlainText(
        !m_revealed ? QString()
                    : payloadLines(!json.isEmpty() && m_indented->isChecked() ? json : shown));
    m_text->setPlaceholderText(m_revealed ? QString()
                                          : tr("Hidden. Show it with the button below."));
    const qint64 size = m_job.item.size;
    const bool tooLarge = size > mostBytes;
    m_note->setVisible(m_revealed && (!m_whole || !read) && size > 0);
    if (tooLarge || m_read)
        m_note->setText(tr("The first %1 of %2; it is too large to show in full")
                            .arg(dataSizeText(shown.size()), dataSizeText(size)));
    else
        m_note->setText(tr("The first %1 of %2; reading the rest\u2026")
                            .arg(dataSizeText(shown.size()), dataSizeText(size)));
}

void JobDialog::showFailure()
{
    const QByteArray& stack = m_detail.stack;
    QString error = payloadLines(m_detail.facts.error);
    if (!stack.isEmpty())
        error += QStringLiteral("\n\n") + stackText(stack);
    m_error->setPlainText(error.trimmed());
    m_result->setPlainText(readable(m_detail.result));
    QStringList fields;
    for (const auto& [field, value] : m_detail.fields)
        fields << QStringLiteral("%1: %2").arg(displayName(field), readable(value));
    m_stored->setPlainText(fields.join(QLatin1Char('\n')));
    for (QPlainTextEdit* text : {m_error, m_result, m_stored})
        m_tabs->setTabVisible(m_tabs->indexOf(text), !text->toPlainText().isEmpty());
}

// As it is stored where it is text; else with \xNN, as it is shown.
void JobDialog::copy()
{
    const QString text = QString::fromUtf8(m_detail.payload);
    QApplication::clipboard()->setText(
        text.toUtf8() == m_detail.payload ? text : displayName(m_detail.payload));
}

} // namespace lk
