/* SPDX-License-Identifier: MIT */
/* cosim/manager.h: one co-simulation with one partner, over the C interface sluice/cosim.h.
 *
 *     cosim::manager cosim("partner.cosim", "mine.cosim");
 *     cosim.addInDataInfo(1, 0, "level");
 *     cosim.addOutDataInfo(7, 0, "speed");
 *     for (...) {
 *         cosim.read();
 *         if (cosim.isTerminated()) break;
 *         double level = cosim.data[0][1].value;
 *         cosim.prepareNextTimestep();
 *         cosim.setValue(7, 0, speed);
 *         cosim.write(cosim.current_time, cosim.next_timestep);
 *     }
 *
 * Times in seconds. One manager belongs to one thread at a time; several in a program share nothing. The connection is
 * opened by the first call that needs it, so that handlers which are set right after construction hear of everything. */
#ifndef COSIM_MANAGER_H
#define COSIM_MANAGER_H

#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <cosim/data.h>
#include <cosim/data_info.h>
#include <sluice/cosim.h>

namespace cosim {

using handler_t = std::function<void(const std::string &message)>;

// What happens unless handlers are set. An error ends the program; the partner has been told by then.
inline void defaultWarningHandler(const std::string &message) {
    std::cerr << "cosim: warning: " << message << std::endl;
}

[[noreturn]] inline void defaultErrorHandler(const std::string &message) {
    std::cerr << "cosim: error: " << message << std::endl;
    std::exit(-1);
}

class manager {
  public:
    // The two files, as seen from here: the partner's `out` is our `in`. An empty name: the library's own default.
    explicit manager(std::string in = "", std::string out = "") : manager(sl_cosim_default()) {
        in_ = std::move(in);
        out_ = std::move(out);
    }
    // Everything else: carriers other than files, how long to wait, what to be strict about. The texts are copied;
    // its handlers are not used.
    explicit manager(const sl_cosim_def &def)
        : in_(def.in ? def.in : ""), out_(def.out ? def.out : ""), uri_(def.uri ? def.uri : ""), def_(def) {}
    // Tells the partner that this is the end, and waits until it has finished too. No file is left.
    ~manager() {
        try {
            open();
            checked(sl_cosim_close(std::exchange(handle_, nullptr)));
        } catch (...) { // a destructor has nobody to tell; the handler that threw has spoken
        }
    }
    manager(const manager &) = delete;
    manager &operator=(const manager &) = delete;

    // An empty handler stands for the default.
    void setWarningHandler(handler_t handler) { warning_ = std::move(handler); }
    // May throw, or end the program. If it returns, the call that failed returns false.
    void setErrorHandler(handler_t handler) { error_ = std::move(handler); }

    // The variables to read and to write, in the order in which they are in the files.
    bool addInDataInfo(entity_nr_t entity, data_info::type_t type, const std::string &description = "") {
        if (!open() || !checked(sl_cosim_add_in(handle_, entity, number(type), description.c_str()))) return false;
        in_info_.push_back({entity, type, description});
        return true;
    }
    bool addOutDataInfo(entity_nr_t entity, data_info::type_t type, const std::string &description = "") {
        if (!open() || !checked(sl_cosim_add_out(handle_, entity, number(type), description.c_str()))) return false;
        out_info_.push_back({entity, type, description});
        return true;
    }

    // Drops all data and waits for the next message. true: it is in `data`; false: the partner has ended, or an error.
    bool read() {
        data.clear();
        if (!open()) return false;
        const sl_cosim_code code = sl_cosim_read(handle_);
        if (!checked(code) || code == SL_COSIM_END) return false;
        current_time = sl_cosim_time(handle_);
        next_timestep = sl_cosim_next(handle_);
        fill();
        return true;
    }
    // The partner has ended (or was never reached): nothing more will come.
    bool isTerminated() const { return failed_ || (handle_ && sl_cosim_is_terminated(handle_)); }

    // Drops all data: `data` serves reading and writing.
    void prepareNextTimestep() { data.clear(); }
    void setValue(entity_nr_t entity, data_info::type_t type, double value, const std::string &description = "") {
        data[type][entity] = {entity, value, description};
    }

    // Writes the message of a time, with the size of the step that follows: values in the order of addOutDataInfo...
    bool write(double time, double timestep, const std::vector<double> &values) {
        return open() && checked(sl_cosim_write_values(handle_, time, timestep, values.data(), values.size()));
    }
    // ... or what is in `data`. What is missing there is written as NaN, with a warning.
    bool write(double time, double timestep) {
        if (!open() || !checked(sl_cosim_prepare(handle_))) return false;
        for (const data_info &info : out_info_) {
            const cosim::data *d = find(info);
            const char *text = d && !d->description.empty() ? d->description.c_str() : nullptr;
            if (d && !checked(sl_cosim_set(handle_, info.entity_nr, number(info.type), d->value, text))) return false;
        }
        return checked(sl_cosim_write(handle_, time, timestep));
    }

    // Tells the partner at once that this is the end, without waiting: before a program ends by other ways than the
    // destructor. May be called by a signal handler.
    void abort() noexcept {
        if (handle_) sl_cosim_abort(handle_);
    }

    data_map data;            // data[type][entity].value
    double current_time = 0;  // of the last message [s]
    double next_timestep = 0; // the size of the partner's next step [s]

  private:
    static sl_cosim_type number(data_info::type_t type) { return static_cast<sl_cosim_type>(type); }

    static const char *name(const std::string &text, const char *otherwise) {
        return text.empty() ? otherwise : text.c_str();
    }

    bool open() {
        if (handle_ || failed_) return !failed_;
        const sl_cosim_def plain = sl_cosim_default();
        def_.in = name(in_, plain.in);
        def_.out = name(out_, plain.out);
        def_.uri = name(uri_, nullptr);
        def_.warning = onWarning;
        def_.error = onError;
        def_.user = this;
        const sl_cosim_code code = sl_cosim_open(nullptr, &def_, &handle_);
        failed_ = code < 0; // before the handler may throw
        return checked(code);
    }

    void fill() {
        std::vector<double> values(in_info_.size());
        if (!checked(sl_cosim_values(handle_, values.data(), values.size()))) return;
        for (std::size_t i = 0; i < values.size(); i++) {
            const data_info &info = in_info_[i];
            const char *text = sl_cosim_text(handle_, number(info.type), info.entity_nr);
            data[info.type][info.entity_nr] = {info.entity_nr, values[i], text ? text : ""};
        }
    }

    const cosim::data *find(const data_info &info) const {
        const auto of_type = data.find(info.type);
        if (of_type == data.end()) return nullptr;
        const auto found = of_type->second.find(info.entity_nr);
        return found == of_type->second.end() ? nullptr : &found->second;
    }

    // The C library must not be left by an exception. A warning is passed on where it arises, since it may be about long
    // waiting, and what its handler throws is kept; an error is passed on after the call has returned.
    static void onWarning(void *user, const char *text) {
        manager &self = *static_cast<manager *>(user);
        try {
            self.warning_ ? self.warning_(text) : defaultWarningHandler(text);
        } catch (...) {
            self.thrown_ = std::current_exception();
        }
    }
    static void onError(void *user, sl_cosim_code, const char *text) {
        manager &self = *static_cast<manager *>(user);
        try {
            self.message_ = text;
        } catch (...) {
            self.thrown_ = std::current_exception();
        }
    }

    bool checked(sl_cosim_code code) {
        std::string text = std::exchange(message_, "");
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        if (code >= 0) return true;
        if (text.empty()) text = sl_cosim_code_text(code);
        if (!error_) {
            abort(); // exit() destroys no local manager: what the destructor does is done here, without waiting
            sl_cosim_close(std::exchange(handle_, nullptr));
            defaultErrorHandler(text);
        }
        error_(text);
        return false;
    }

    std::string in_, out_, uri_;
    sl_cosim_def def_;
    sl_cosim *handle_ = nullptr;
    bool failed_ = false; // it could not be opened
    std::vector<data_info> in_info_, out_info_;
    handler_t warning_, error_; // empty: the default
    std::string message_;
    std::exception_ptr thrown_;
};

} // namespace cosim

#endif
